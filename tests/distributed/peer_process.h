#pragma once

#include <optional>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "roundtrip/base/error.h"
#include "roundtrip/distributed/launch_environment.h"

extern char** environ;

namespace roundtrip {

/// Seconds for what should not take long on a busy machine.
inline constexpr double kPatience = 60;

/// A port of this host that nobody listens at now.
inline int64_t free_port() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  const bool bound = bind(listener, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
                     getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  close(listener);
  ensure(bound, "free_port: no port to be had");
  return ntohs(address.sin_port);
}

/// Rank 1 of 2: this test binary once more, running the disabled test `worker`. (A fork would copy
/// torch's threads half.) The test itself is rank 0.
class PeerProcess {
 public:
  explicit PeerProcess(const std::string& worker) : port_(free_port()) {
    std::vector<std::string> arguments = {"/proc/self/exe", "--gtest_filter=" + worker,
                                          "--gtest_also_run_disabled_tests", "--gtest_brief=1"};
    std::vector<std::string> variables = {"RANK=1", "WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1",
                                          "MASTER_PORT=" + std::to_string(port_)};
    for (char** variable = environ; *variable != nullptr; ++variable) {
      // A worker must not overwrite the report of the run that started it.
      if (!std::string(*variable).starts_with("GTEST_OUTPUT")) variables.emplace_back(*variable);
    }
    ensure(posix_spawn(&pid_, "/proc/self/exe", nullptr, nullptr, pointers(arguments).data(),
                       pointers(variables).data()) == 0,
           "PeerProcess: cannot start");
  }
  ~PeerProcess() {
    if (pid_ > 0) stop();
  }
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  /// Rank 0's place beside this peer.
  LaunchEnvironment rank_0() const {
    return read_launch_environment([&](const std::string& name) -> std::optional<std::string> {
      if (name == "RANK") return "0";
      if (name == "WORLD_SIZE") return "2";
      if (name == "MASTER_ADDR") return "127.0.0.1";
      if (name == "MASTER_PORT") return std::to_string(port_);
      return std::nullopt;
    });
  }

  /// Waits for the end; whether all the peer expected held.
  bool succeeded() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  void stop() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> result;
    for (std::string& word : words) result.push_back(word.data());
    result.push_back(nullptr);
    return result;
  }

  int64_t port_;
  pid_t pid_ = -1;
};

}  // namespace roundtrip
