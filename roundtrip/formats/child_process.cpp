#include "roundtrip/formats/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <new>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "roundtrip/base/error.h"

// The child is a copy of this process with one thread. It answers through a pipe: a letter for the
// kind of answer, then the bytes, then an end mark that a child cut off midway does not send.

namespace roundtrip {
namespace {

// A second of processor time may take so many of waiting: a slow disk or a busy machine does not
// count against a file, a child that sleeps for ever does.
constexpr int64_t kWaitingPerSecond = 60;

// What a child may map beyond what this process has. Sanitizers map terabytes as they like.
#if !defined(__SANITIZE_ADDRESS__)
constexpr rlim_t kMostMemory = rlim_t{4} << 30;
#endif

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
  std::array<char, 65536> buffer{};
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(buffer.data(), static_cast<size_t>(count));
  }
}

void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__)
  // The first number of this file: pages mapped. Without the file there is no limit.
  std::array<char, 64> text{};
  const int descriptor = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  const ssize_t count = ::read(descriptor, text.data(), text.size() - 1);
  ::close(descriptor);
  rlimit memory{};
  if (count <= 0 || ::getrlimit(RLIMIT_AS, &memory) != 0) return;
  const rlim_t most =
      std::strtoull(text.data(), nullptr, 10) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) +
      kMostMemory;
  memory.rlim_cur = std::min(memory.rlim_cur, most);
  ::setrlimit(RLIMIT_AS, &memory);
#endif
}

// What the work gave, as sent; nothing for an exception that is neither an Error nor a Bug.
std::string reply_of(const std::function<std::string()>& work) {
  try {
    return kValue + work() + kEnd;
  } catch (const Error& error) {
    return kError + std::string(error.what()) + kEnd;
  } catch (const Bug& bug) {
    return kBug + std::string(bug.what()) + kEnd;
  } catch (...) {
    // Another exception (memory that HDF5 or a damaged size asked for) is a damaged file too.
    return "";
  }
}

// The address sanitizer's allocator, unlike the C library's, may be locked for ever in a child of
// several threads. There, and only there, the work is done in this process.
bool may_start_children() {
#if defined(__SANITIZE_ADDRESS__)
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads)) == 1;
#else
  return true;
#endif
}

[[noreturn]] void work_and_exit(int descriptor, const std::function<std::string()>& work,
                                int64_t seconds) {
  // A crash is expected here and told by the parent: no report, no core file.
  const auto most = static_cast<rlim_t>(seconds);
  const rlimit no_core{0, 0}, little_time{most, most + 1};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::setrlimit(RLIMIT_CPU, &little_time);
  limit_memory();
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDERR_FILENO);
  for (const int signal : {SIGALRM, SIGXCPU, SIGABRT, SIGSEGV, SIGBUS}) {
    std::signal(signal, SIG_DFL);
  }
  ::alarm(static_cast<unsigned>(seconds * kWaitingPerSecond));
  send(descriptor, reply_of(work));
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

ChildCall::ChildCall(std::string on, std::string advice, const std::function<std::string()>& work,
                     int64_t seconds)
    : on_(std::move(on)), advice_(std::move(advice)) {
  // One at a time, so that no child keeps another's pipe open.
  static std::mutex mutex;
  const std::lock_guard guard(mutex);
  if (!may_start_children()) {
    reply_ = reply_of(work);
    return;
  }
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error("file", fmt::format("{}: cannot make a pipe: {}", on_, std::strerror(errno)));
  }
  child_ = ::fork();
  if (child_ == 0) work_and_exit(ends[1], work, seconds);
  const int failure = errno;
  ::close(ends[1]);
  pipe_ = ends[0];
  if (child_ > 0) return;
  ::close(pipe_);
  throw Error("file", fmt::format("{}: cannot start a process to work on it: {}", on_,
                                  std::strerror(failure)));
}

ChildCall::~ChildCall() {
  if (pipe_ >= 0) ::close(pipe_);
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);
  wait_for(child_);
}

std::string ChildCall::answer() {
  ensure(child_ > 0 || reply_, "a child asked twice");
  const std::string reply = reply_ ? *std::exchange(reply_, std::nullopt) : receive(pipe_);
  const int status = child_ > 0 ? wait_for(std::exchange(child_, -1)) : 0;
  if (reply.size() < 2 || reply.back() != kEnd) {
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const bool endless = signal == SIGXCPU || signal == SIGALRM;
    throw Error("file", fmt::format("{}: expected a file its library can work on, found that it "
                                    "{}; {}",
                                    on_, endless ? "does not end" : "crashes", advice_));
  }
  const std::string_view body = std::string_view(reply).substr(1, reply.size() - 2);
  if (reply.front() == kError) rethrow(body);
  if (reply.front() == kBug) throw Bug(std::string(body));
  return std::string(body);
}

std::string call_in_child(const std::string& on, const std::string& advice,
                          const std::function<std::string()>& work, int64_t seconds) {
  return ChildCall(on, advice, work, seconds).answer();
}

SharedFloats::SharedFloats(size_t count) : bytes_(std::max<size_t>(1, count) * sizeof(float)) {
  void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<float*>(memory);
}

SharedFloats::~SharedFloats() { ::munmap(data_, bytes_); }

}  // namespace roundtrip
