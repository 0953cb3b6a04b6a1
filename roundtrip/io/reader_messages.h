#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// What a program and its roundtrip-reader send each other over a socket: requests one way, replies
// the other, in turn. Both are of the same version, so that records travel as archive.h packs them.

namespace roundtrip {

/// Work for the reader.
struct ReaderRequest {
  std::string task;          // a name in its list of tasks
  std::string arguments;     // packed, as the task wants them
  std::string folder;        // where relative paths begin
  int64_t seconds = 0;       // processor time it may take
  int64_t answer_bytes = 0;  // memory the answer takes, when that is known beforehand
};

/// What came of it.
struct ReaderReply {
  enum class Kind : char { value = 'v', error = 'e', bug = 'b' };
  Kind kind = Kind::value;
  std::string bytes;  // the value, or the message of an Error or a Bug
};

/// Send everything; false when the other side is gone.
bool send_request(int socket, const ReaderRequest& request);
bool send_reply(int socket, const ReaderReply& reply);

/// Wait for a whole message; nothing when the other side is gone before its end.
std::optional<ReaderRequest> receive_request(int socket);
/// A value goes to `into` when that is not empty, and is then as long as it.
std::optional<ReaderReply> receive_reply(int socket, std::span<std::byte> into);

/// The version both sides have to be of.
std::string reader_version();

}  // namespace roundtrip
