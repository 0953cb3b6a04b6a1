#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "roundtrip/io/archive.h"

// libhdf5 may crash on a damaged file, loop without end, take all memory, or stay broken after a
// failed write. It therefore works in another program, roundtrip-reader, where each of these is one
// Error here. See docs/decisions/0010.

namespace roundtrip {

/// Processor time a request may take by itself: what reading the header of any real file needs,
/// many times over. Waiting (for a disk) counts sixtyfold less.
inline constexpr int64_t kReaderSeconds = 2;

/// Processor time for reading from datasets that declare so many bytes: chunks may have to be
/// inflated whole for a small part of them.
int64_t seconds_to_read(double declared_bytes);

/// Something to ask of roundtrip-reader.
struct ReaderCall {
  const char* task;    // see reader_tasks.cpp
  std::string on;      // the file, for messages
  const char* advice;  // what to do when the library breaks down on it
  int64_t seconds = kReaderSeconds;
  bool writes = false;  // it cannot be tried a second time
};

/// Waits for the answer; an Error or Bug thrown by the task is thrown here. Thread-safe: calls from
/// several threads are served side by side, each by a reader of its own, and readers are kept for
/// later calls. With ROUNDTRIP_READER=in-process in the environment the task runs in this process,
/// without protection.
std::string call_reader(const ReaderCall& call, const std::string& arguments);
/// The same for an answer of known size, `into`.
void call_reader(const ReaderCall& call, const std::string& arguments, std::span<float> into);

/// The same with arguments and result packed and unpacked.
template <class Result, class Arguments>
Result ask_reader(const ReaderCall& call, const Arguments& arguments) {
  return unpack_bytes<Result>(call_reader(call, pack_bytes(arguments)));
}

}  // namespace roundtrip
