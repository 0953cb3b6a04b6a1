// posix_spawn starts the reader without copying this process, so that its threads, its size and
// what its libraries hold (CUDA, an interpreter) do not matter. The two talk over a pair of
// sockets. When this end is closed, by this process or by its death, the reader notices and exits
// (reader_server.cpp): nothing has to be killed, whose number might meanwhile be another process's.
#include "roundtrip/io/reader_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/own_program.h"
#include "roundtrip/io/reader_server.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

/// What posix_spawn does to the new process before its program begins.
class SpawnPlan {
 public:
  explicit SpawnPlan(int socket) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_adddup2(&files_, socket, kReaderSocket);
    // What a crashing library prints is for nobody: the Error says it.
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      posix_spawn_file_actions_addopen(&files_, standard, "/dev/null", O_RDWR, 0);
    }
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    // Requests to stop go to the whole group of a terminal or a batch job. This process decides
    // what becomes of them, and the reader ends with it.
    const sigset_t left_alone = signals({SIGINT, SIGTERM, SIGHUP, SIGQUIT});
    posix_spawnattr_setsigmask(&attributes_, &left_alone);
    // SIGXFSZ stays as it is here: whoever ignores it wants failed writes.
    const sigset_t fatal =
        signals({SIGALRM, SIGXCPU, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPIPE});
    posix_spawnattr_setsigdefault(&attributes_, &fatal);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  /// The errno of its failure, or 0.
  int start(const std::string& program, pid_t& process) const {
    std::string name = "roundtrip-reader", version = reader_version();
    std::array<char*, 3> arguments = {name.data(), version.data(), nullptr};
    return ::posix_spawn(&process, program.c_str(), &files_, &attributes_, arguments.data(),
                         environ);
  }

 private:
  static sigset_t signals(std::initializer_list<int> numbers) {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : numbers) sigaddset(&set, number);
    return set;
  }

  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

bool is_executable(const fs::path& path) {
  return !path.empty() && fs::is_regular_file(path) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

fs::path reader_program() {
  const char* named = std::getenv("ROUNDTRIP_READER");
  if (named != nullptr && *named != '\0') return named;
  // The build's and the installation's folder: a program that links this library may lie elsewhere.
  const char* searched = std::getenv("PATH");
  const std::string folders = fmt::format("{}:{}:{}", program_folder().string(),
                                          ROUNDTRIP_PROGRAM_FOLDERS, searched ? searched : "");
  std::istringstream list(folders);
  for (std::string folder; std::getline(list, folder, ':');) {
    const fs::path path = fs::path(folder) / "roundtrip-reader";
    if (is_executable(path)) return path;
  }
  throw Error("program",
              fmt::format("expected the program roundtrip-reader, which reads HDF5 files, found "
                          "none in {}; build or install it, or set ROUNDTRIP_READER to its path",
                          folders));
}

ReaderProcess::ReaderProcess(fs::path program) : program_(std::move(program)), owner_(::getpid()) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw Error("program", fmt::format("{}: cannot make a socket to it: {}; close some files",
                                       program_.string(), std::strerror(errno)));
  }
  const int failure = SpawnPlan(ends[1]).start(program_.string(), process_);
  ::close(ends[1]);
  socket_ = ends[0];
  if (failure == 0) return;
  ::close(socket_);
  throw Error("program", fmt::format("{}: cannot be run: {}; build or install it again, or set "
                                     "ROUNDTRIP_READER to its path",
                                     program_.string(), std::strerror(failure)));
}

ReaderProcess::ReaderProcess(ReaderProcess&& other) noexcept
    : program_(std::move(other.program_)),
      socket_(std::exchange(other.socket_, -1)),
      process_(std::exchange(other.process_, -1)),
      owner_(other.owner_) {}

ReaderProcess& ReaderProcess::operator=(ReaderProcess&& other) noexcept {
  std::swap(program_, other.program_);
  std::swap(socket_, other.socket_);
  std::swap(process_, other.process_);
  std::swap(owner_, other.owner_);
  return *this;
}

bool ReaderProcess::is_ours() const { return owner_ == ::getpid(); }

std::optional<ReaderReply> ReaderProcess::ask(const ReaderRequest& request,
                                              std::span<std::byte> into) {
  if (!send_request(socket_, request)) return std::nullopt;
  return receive_reply(socket_, into);
}

std::optional<int> ReaderProcess::end() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  const pid_t process = std::exchange(process_, -1);
  if (process < 0 || !is_ours()) return std::nullopt;
  int status = 0;
  pid_t found = -1;
  do {
    found = ::waitpid(process, &status, 0);
  } while (found < 0 && errno == EINTR);
  if (found != process) return std::nullopt;
  return status;
}

}  // namespace roundtrip
