// A message is a letter for its kind, a length, and so many bytes. The socket is a stream, so both
// ends know how much of a message is missing when the other one is gone.
#include "roundtrip/io/reader_messages.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <sys/socket.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/version.h"
#include "roundtrip/io/archive.h"

namespace roundtrip {

template <class Archive>
void visit(Archive& archive, ReaderRequest& request) {
  archive(request.task, request.arguments, request.folder, request.seconds, request.answer_bytes);
}

namespace {

constexpr int kProtocol = 1;  // changes when a message or the arguments of a task do

constexpr char kRequest = 'r';

struct MessageHead {
  char kind = 0;
  uint64_t length = 0;
};
constexpr size_t kHeadBytes = 1 + sizeof(uint64_t);

bool send_bytes(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    // Without a signal when the other side is gone.
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool receive_bytes(int socket, char* into, size_t bytes) {
  while (bytes > 0) {
    const ssize_t count = ::recv(socket, into, bytes, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    into += count;
    bytes -= static_cast<size_t>(count);
  }
  return true;
}

bool send_message(int socket, char kind, std::string_view bytes) {
  const uint64_t length = bytes.size();
  std::string head(1, kind);
  head.append(reinterpret_cast<const char*>(&length), sizeof length);
  return send_bytes(socket, head) && send_bytes(socket, bytes);
}

std::optional<MessageHead> receive_head(int socket) {
  char bytes[kHeadBytes];
  if (!receive_bytes(socket, bytes, kHeadBytes)) return std::nullopt;
  MessageHead head{.kind = bytes[0]};
  std::memcpy(&head.length, bytes + 1, sizeof head.length);
  return head;
}

// Memory is taken as bytes come: a reader harmed by a damaged file may announce any length.
std::optional<std::string> receive_text(int socket, uint64_t length) {
  constexpr uint64_t kTogether = uint64_t{1} << 20;
  std::string text;
  while (text.size() < length) {
    const size_t start = text.size();
    text.resize(start + static_cast<size_t>(std::min(kTogether, length - start)));
    if (!receive_bytes(socket, text.data() + start, text.size() - start)) return std::nullopt;
  }
  return text;
}

}  // namespace

bool send_request(int socket, const ReaderRequest& request) {
  return send_message(socket, kRequest, pack_bytes(request));
}

bool send_reply(int socket, const ReaderReply& reply) {
  return send_message(socket, static_cast<char>(reply.kind), reply.bytes);
}

std::optional<ReaderRequest> receive_request(int socket) {
  const auto head = receive_head(socket);
  const auto bytes = head ? receive_text(socket, head->length) : std::nullopt;
  if (!bytes) return std::nullopt;
  return unpack_bytes<ReaderRequest>(*bytes);
}

std::optional<ReaderReply> receive_reply(int socket, std::span<std::byte> into) {
  const auto head = receive_head(socket);
  if (!head) return std::nullopt;
  ReaderReply reply{.kind = static_cast<ReaderReply::Kind>(head->kind), .bytes = {}};
  if (reply.kind == ReaderReply::Kind::value && !into.empty()) {
    ensure(head->length == into.size(), "an answer of another size");
    if (!receive_bytes(socket, reinterpret_cast<char*>(into.data()), into.size())) {
      return std::nullopt;
    }
    return reply;
  }
  auto bytes = receive_text(socket, head->length);
  if (!bytes) return std::nullopt;
  reply.bytes = std::move(*bytes);
  return reply;
}

std::string reader_version() { return fmt::format("{} protocol {}", version(), kProtocol); }

}  // namespace roundtrip
