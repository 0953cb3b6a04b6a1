#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <string>

#include <sys/resource.h>

#include "roundtrip/base/error.h"

namespace roundtrip {

/// While it lives no file of this process grows beyond `bytes`: writes then fail as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(uint64_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit less{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

/// What `write` says on a disk with room for `bytes`; "no error" when it succeeds.
inline std::string message_on_full_disk(uint64_t bytes, const std::function<void()>& write) {
  const FileSizeLimit limit(bytes);
  try {
    write();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace roundtrip
