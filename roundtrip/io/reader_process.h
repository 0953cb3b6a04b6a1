#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include <sys/types.h>

#include "roundtrip/io/reader_messages.h"

namespace roundtrip {

/// Where roundtrip-reader is: what the environment variable ROUNDTRIP_READER names, else beside the
/// running program, else where this library was built or installed with it, else on PATH. An Error
/// when it is in none of them.
std::filesystem::path reader_program();

/// A running roundtrip-reader: a program of its own (not a copy of this process) that works on a
/// request at a time. It ends when this object or this process does, also in the middle of a
/// request. Ctrl-C and SIGTERM leave it to this process when to stop.
class ReaderProcess {
 public:
  /// Starts the program; an Error when it cannot be run.
  explicit ReaderProcess(std::filesystem::path program);
  ReaderProcess(ReaderProcess&& other) noexcept;
  ReaderProcess& operator=(ReaderProcess&& other) noexcept;
  ~ReaderProcess() { end(); }

  const std::filesystem::path& program() const { return program_; }
  /// Whether this process started it: false in a copy of the process that did, made by fork(),
  /// which must not talk to it.
  bool is_ours() const;

  /// Waits for the reply, whose value goes to `into` when that is not empty; nothing when the
  /// reader ended before it had replied in full.
  std::optional<ReaderReply> ask(const ReaderRequest& request, std::span<std::byte> into);

  /// Ends it and leaves no zombie. How it had ended by itself, as waitpid(2) has it; nothing when
  /// another part of this process has collected that already.
  std::optional<int> end();

 private:
  std::filesystem::path program_;
  int socket_ = -1;
  pid_t process_ = -1;
  pid_t owner_ = -1;
};

}  // namespace roundtrip
