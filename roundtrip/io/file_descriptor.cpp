#include "roundtrip/io/file_descriptor.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

[[noreturn]] void fail(const std::string& path, std::string_view action) {
  throw Error("file", fmt::format("{}: cannot {}: {}", path, action, std::strerror(errno)));
}

}  // namespace

FileDescriptor::FileDescriptor(const std::filesystem::path& path, int flags)
    : path_(path.string()), id_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
  if (id_ < 0) fail(path_, "open");
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(id_, other.id_);
  return *this;
}

void FileDescriptor::close() {
  if (id_ >= 0) ::close(std::exchange(id_, -1));
}

void FileDescriptor::reserve() const {
  struct stat status {};
  if (::fstat(id_, &status) != 0) fail(path_, "read its size");
  if (status.st_size == 0) return;
  int result = -1;
  do {
    result = ::fallocate(id_, 0, 0, status.st_size);
  } while (result != 0 && errno == EINTR);
  if (result != 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
    fail(path_, fmt::format("take {} bytes of disk", status.st_size));
  }
}

void FileDescriptor::read_at(int64_t offset, void* into, int64_t bytes) const {
  auto* at = static_cast<char*>(into);
  while (bytes > 0) {
    const ssize_t count = ::pread(id_, at, static_cast<size_t>(bytes), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path_, "read");
    if (count == 0) {
      throw Error("file",
                  fmt::format("{}: expected {} more bytes at {}, found the end of the file; "
                              "it was cut short: download or generate it again",
                              path_, bytes, offset));
    }
    at += count;
    offset += count;
    bytes -= count;
  }
}

void FileDescriptor::write_at(int64_t offset, const void* from, int64_t bytes) const {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t count = ::pwrite(id_, at, static_cast<size_t>(bytes), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(path_, "write");
    at += count;
    offset += count;
    bytes -= count;
  }
}

}  // namespace roundtrip
