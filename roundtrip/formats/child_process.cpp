#include "roundtrip/formats/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "roundtrip/base/error.h"

// The child is a copy of this process with one thread. It answers through a pipe: a letter for the
// kind of answer, then the bytes, then an end mark that a child cut off midway does not send.

namespace roundtrip {
namespace {

// Of processor time, so that a slow disk or a busy machine does not count against a file.
constexpr rlim_t kMostSeconds = 2;
// Of waiting: a child that sleeps for ever.
constexpr unsigned kMostWaiting = 120;

constexpr char kValue = 'v';
constexpr char kError = 'e';
constexpr char kBug = 'b';
constexpr char kEnd = '.';

void send(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

std::string receive(int descriptor) {
  std::string bytes;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(buffer.data(), static_cast<size_t>(count));
  }
}

[[noreturn]] void answer(int descriptor, const std::function<std::string()>& work) {
  // A crash is expected here and told by the parent: no report, no core file.
  const rlimit no_core{0, 0}, little_time{kMostSeconds, kMostSeconds + 1};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::setrlimit(RLIMIT_CPU, &little_time);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDERR_FILENO);
  for (const int signal : {SIGALRM, SIGXCPU, SIGABRT, SIGSEGV, SIGBUS}) {
    std::signal(signal, SIG_DFL);
  }
  ::alarm(kMostWaiting);
  std::string reply;
  try {
    reply = kValue + work();
  } catch (const Error& error) {
    reply = kError + std::string(error.what());
  } catch (const Bug& bug) {
    reply = kBug + std::string(bug.what());
  } catch (...) {
    // Another exception (memory that HDF5 or a damaged size asked for) is a damaged file too.
    ::_exit(1);
  }
  send(descriptor, reply + kEnd);
  ::_exit(0);
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// Undoes the bracket an Error puts around its first part.
[[noreturn]] void rethrow(std::string_view text) {
  const size_t end = text.find("] ");
  ensure(text.starts_with('[') && end != std::string_view::npos, "an Error without its bracket");
  throw Error(text.substr(1, end - 1), text.substr(end + 2));
}

}  // namespace

std::string call_in_child(const std::string& on, std::string_view advice,
                          const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error("file", fmt::format("{}: cannot make a pipe: {}", on, std::strerror(errno)));
  }
  const pid_t child = ::fork();
  if (child == 0) answer(ends[1], work);
  const int failure = errno;
  ::close(ends[1]);
  const std::string reply = child < 0 ? "" : receive(ends[0]);
  ::close(ends[0]);
  if (child < 0) {
    throw Error("file", fmt::format("{}: cannot start a process to work on it: {}", on,
                                    std::strerror(failure)));
  }
  const int status = wait_for(child);
  if (reply.size() < 2 || reply.back() != kEnd) {
    const bool endless = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    throw Error("file",
                fmt::format("{}: expected a file its library can work on, found that it {}; "
                            "{}",
                            on, endless ? "does not end" : "crashes", advice));
  }
  const std::string_view body = std::string_view(reply).substr(1, reply.size() - 2);
  if (reply.front() == kError) rethrow(body);
  if (reply.front() == kBug) throw Bug(std::string(body));
  return std::string(body);
}

}  // namespace roundtrip
