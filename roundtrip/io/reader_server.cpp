#include "roundtrip/io/reader_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <tuple>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/own_program.h"

namespace roundtrip {
namespace {

// A second of processor time may take so many of waiting: a slow disk or a busy machine does not
// count against a file, a library that sleeps for ever does.
constexpr int64_t kWaitingPerSecond = 60;

// What a request may map beyond what the reader has and its answer takes. Sanitizers map terabytes
// as they like.
#if !defined(__SANITIZE_ADDRESS__)
constexpr rlim_t kMostMemory = rlim_t{4} << 30;
#endif

void limit(decltype(RLIMIT_CPU) resource, rlim_t most) {
  rlimit now{};
  if (::getrlimit(resource, &now) != 0) return;
  now.rlim_cur = std::min(now.rlim_max, most);
  ::setrlimit(resource, &now);
}

void limit_memory([[maybe_unused]] int64_t answer_bytes) {
#if !defined(__SANITIZE_ADDRESS__)
  // The first number of this file: pages mapped. Without the file there is no limit.
  std::array<char, 64> text{};
  const int descriptor = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  const ssize_t count = ::read(descriptor, text.data(), text.size() - 1);
  ::close(descriptor);
  if (count <= 0) return;
  const rlim_t mapped =
      std::strtoull(text.data(), nullptr, 10) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
  limit(RLIMIT_AS, mapped + kMostMemory + static_cast<rlim_t>(answer_bytes));
#endif
}

void limit_time(int64_t seconds) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  // Counted in whole seconds, which may nearly be over.
  const int64_t before = used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1;
  limit(RLIMIT_CPU, static_cast<rlim_t>(before + seconds));
  ::alarm(static_cast<unsigned>(seconds * kWaitingPerSecond));
}

// Ends the program when whoever started it closes the socket or dies, also in the middle of a
// request. (PR_SET_PDEATHSIG would end it with the thread that started it.)
[[noreturn]] void exit_when_alone() {
  pollfd socket{.fd = kReaderSocket, .events = POLLRDHUP, .revents = 0};
  while (::poll(&socket, 1, /*timeout=*/-1) <= 0) {
  }
  ::_exit(0);
}

// Whoever started this may be in another folder by now. Where that cannot be entered, relative
// paths lead to nothing, which is reported.
void enter(const std::string& folder) {
  if (!folder.empty() && ::chdir(folder.c_str()) != 0) std::ignore = ::chdir("/");
}

[[noreturn]] void serve(const ReaderTasks& tasks) {
  limit(RLIMIT_CORE, 0);  // a crash is expected here, and reported by the other side
  std::thread(exit_when_alone).detach();
  while (const auto request = receive_request(kReaderSocket)) {
    enter(request->folder);
    limit_memory(request->answer_bytes);
    limit_time(request->seconds);
    const auto reply = run_task(tasks, *request);
    ::alarm(0);
    if (!reply || !send_reply(kReaderSocket, *reply)) break;
  }
  // Without what libraries do at exit: HDF5 that failed to write crashes there.
  ::_exit(1);
}

[[noreturn]] void refuse(const std::string& expected) {
  const Error error("program", fmt::format("{}/roundtrip-reader: expected version {}, found {}; "
                                           "build or install all programs again",
                                           program_folder().string(), expected, reader_version()));
  receive_request(kReaderSocket);
  send_reply(kReaderSocket, {.kind = ReaderReply::Kind::error, .bytes = error.what()});
  ::_exit(0);
}

}  // namespace

std::optional<ReaderReply> run_task(const ReaderTasks& tasks, const ReaderRequest& request) {
  using Kind = ReaderReply::Kind;
  try {
    const auto task = tasks.find(request.task);
    ensure(task != tasks.end(), "a task of the reader");
    return ReaderReply{.kind = Kind::value, .bytes = task->second(request.arguments)};
  } catch (const Error& error) {
    return ReaderReply{.kind = Kind::error, .bytes = error.what()};
  } catch (const Bug& bug) {
    return ReaderReply{.kind = Kind::bug, .bytes = bug.what()};
  } catch (...) {
    return std::nullopt;
  }
}

int run_reader(int argc, char** argv, const ReaderTasks& tasks) {
  if (argc != 2 || ::fcntl(kReaderSocket, F_GETFD) < 0) {
    fmt::print(stderr,
               "[program] roundtrip-reader: expected to be started by another program of "
               "Roundtrip, for which it reads HDF5 files; run `roundtrip inspect FILE`\n");
    return 2;
  }
  // What the other side happened to have open would stay open as long as this lives.
  ::close_range(kReaderSocket + 1, ~0U, 0);
  if (argv[1] != reader_version()) refuse(argv[1]);
  serve(tasks);
}

}  // namespace roundtrip
