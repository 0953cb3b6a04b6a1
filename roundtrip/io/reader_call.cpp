#include "roundtrip/io/reader_call.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/reader_process.h"
#include "roundtrip/io/reader_server.h"
#include "roundtrip/io/reader_tasks.h"

namespace roundtrip {
namespace {

// More threads than this that read through HDF5 at once start readers anew.
constexpr size_t kMostIdle = 16;

/// Readers that wait for work.
class IdleReaders {
 public:
  std::optional<ReaderProcess> take(const std::filesystem::path& program) {
    const std::lock_guard guard(mutex_);
    std::erase_if(idle_, [&](const ReaderProcess& process) {
      return !process.is_ours() || process.program() != program;
    });
    if (idle_.empty()) return std::nullopt;
    ReaderProcess process = std::move(idle_.back());
    idle_.pop_back();
    return process;
  }

  void keep(ReaderProcess process) {
    const std::lock_guard guard(mutex_);
    if (idle_.size() < kMostIdle) idle_.push_back(std::move(process));
  }

 private:
  std::mutex mutex_;
  std::vector<ReaderProcess> idle_;
};

IdleReaders& idle_readers() {
  static IdleReaders instance;
  return instance;
}

[[noreturn]] void fail(const ReaderCall& call, std::string_view found) {
  throw Error("file", fmt::format("{}: expected a file its library can work on, found that it {}; "
                                  "{}",
                                  call.on, found, call.advice));
}

// What ended a reader that had done nothing else before.
[[noreturn]] void report_end(const ReaderCall& call, const ReaderProcess& process,
                             std::optional<int> status) {
  const int signal = status && WIFSIGNALED(*status) ? WTERMSIG(*status) : 0;
  if (signal == SIGXCPU || signal == SIGALRM) fail(call, "does not end");
  if (signal == SIGKILL || signal == SIGTERM) {
    throw Error("file", fmt::format("{}: {}, which works on it, was killed (signal {}); try again, "
                                    "with more memory free",
                                    call.on, process.program().string(), signal));
  }
  if (status && WIFEXITED(*status) && WEXITSTATUS(*status) == 127) {
    throw Error("program", fmt::format("{}: cannot be started; run it by hand to see what is "
                                       "missing",
                                       process.program().string()));
  }
  fail(call, "crashes");
}

// Undoes the bracket an Error puts around its first part.
[[noreturn]] void rethrow(std::string_view text) {
  const size_t end = text.find("] ");
  ensure(text.starts_with('[') && end != std::string_view::npos, "an Error without its bracket");
  throw Error(text.substr(1, end - 1), text.substr(end + 2));
}

std::string value_of(ReaderReply reply) {
  if (reply.kind == ReaderReply::Kind::error) rethrow(reply.bytes);
  if (reply.kind == ReaderReply::Kind::bug) throw Bug(reply.bytes);
  return std::move(reply.bytes);
}

std::string run_here(const ReaderCall& call, const ReaderRequest& request,
                     std::span<std::byte> into) {
  auto reply = run_task(reader_tasks(), request);
  if (!reply) fail(call, "crashes");
  std::string value = value_of(std::move(*reply));
  if (into.empty()) return value;
  ensure(value.size() == into.size(), "an answer of another size");
  std::memcpy(into.data(), value.data(), into.size());
  return {};
}

// After an Error the reader goes: a file that is damaged may have harmed it. So do those that
// write, which are never taken from the idle ones and would pile up there.
std::string finish(const ReaderCall& call, ReaderProcess process, ReaderReply reply) {
  if (reply.kind == ReaderReply::Kind::value && !call.writes)
    idle_readers().keep(std::move(process));
  return value_of(std::move(reply));
}

std::string call_with(const ReaderCall& call, const std::string& arguments,
                      std::span<std::byte> into) {
  std::error_code ignored;  // without a folder relative paths lead nowhere, here as there
  const ReaderRequest request{.task = call.task,
                              .arguments = arguments,
                              .folder = std::filesystem::current_path(ignored).string(),
                              .seconds = call.seconds,
                              .answer_bytes = static_cast<int64_t>(into.size())};
  const std::filesystem::path program = reader_program();
  if (program == "in-process") return run_here(call, request, into);
  if (auto process = call.writes ? std::nullopt : idle_readers().take(program)) {
    if (auto reply = process->ask(request, into)) {
      return finish(call, std::move(*process), std::move(*reply));
    }
    // An earlier file may have harmed it, or someone killed it while it waited: what a new one
    // does counts.
  }
  ReaderProcess process(program);
  if (auto reply = process.ask(request, into)) {
    return finish(call, std::move(process), std::move(*reply));
  }
  report_end(call, process, process.end());
}

}  // namespace

int64_t seconds_to_read(double declared_bytes) {
  constexpr double kBytesPerSecond = 2e7;  // a tenth of what zlib inflates
  constexpr double kMost = 600;
  return kReaderSeconds + static_cast<int64_t>(std::min(kMost, declared_bytes / kBytesPerSecond));
}

std::string call_reader(const ReaderCall& call, const std::string& arguments) {
  return call_with(call, arguments, {});
}

void call_reader(const ReaderCall& call, const std::string& arguments, std::span<float> into) {
  call_with(call, arguments, std::as_writable_bytes(into));
}

}  // namespace roundtrip
