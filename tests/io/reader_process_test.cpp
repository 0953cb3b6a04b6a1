#include "roundtrip/io/reader_process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/io/reader_server.h"
#include "tests/support/environment.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const char* const kTestReader = ROUNDTRIP_TEST_READER;

pid_t process_of(ReaderProcess& reader) {
  const auto reply =
      reader.ask({.task = "process", .arguments = "", .folder = "", .seconds = 1}, {});
  return reply ? std::stoi(reply->bytes) : -1;
}

// An orphan may stay a zombie where nobody collects them.
bool runs(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return stat >> number >> name >> state && state != "Z";
}

bool ends_soon(pid_t process) {
  for (int i = 0; i < 1000 && runs(process); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return !runs(process);
}

TEST(ReaderProcess, LeavesNoZombie) {
  ReaderProcess reader(kTestReader);
  const pid_t process = process_of(reader);
  EXPECT_EQ(::kill(process, 0), 0);
  reader.end();
  EXPECT_EQ(::kill(process, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(ReaderProcess, KeepsNothingOpenForOthers) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);  // without O_CLOEXEC, as others may make them
  ReaderProcess reader(kTestReader);
  EXPECT_GT(process_of(reader), 0);
  ::close(ends[1]);
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0);  // would wait as long as someone could write
  ::close(ends[0]);
}

// Run by the test below, in a process of its own.
TEST(ReaderProcess, DISABLED_AsksAReaderThatSleeps) {
  ReaderProcess reader(kTestReader);
  write_file(std::getenv("READER_PROCESS_FILE"), std::to_string(process_of(reader)));
  reader.ask({.task = "sleep", .arguments = "", .folder = "", .seconds = 60}, {});
}

// In the middle of its work, and by a signal that nobody can catch.
TEST(ReaderProcess, EndsWithTheProcessThatStartedIt) {
  const std::string file = testing::TempDir() + "reader_process_file";
  std::filesystem::remove(file);
  const EnvironmentValue file_name("READER_PROCESS_FILE", file);
  std::string self = "/proc/self/exe",
              filter = "--gtest_filter=ReaderProcess.DISABLED_AsksAReaderThatSleeps",
              disabled = "--gtest_also_run_disabled_tests";
  std::array<char*, 4> arguments = {self.data(), filter.data(), disabled.data(), nullptr};
  pid_t parent = -1;
  ASSERT_EQ(::posix_spawn(&parent, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ),
            0);
  while (!std::filesystem::exists(file)) {
    ASSERT_TRUE(runs(parent));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const pid_t reader = std::stoi(read_file(file));
  EXPECT_TRUE(runs(reader));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  EXPECT_TRUE(ends_soon(reader));
}

TEST(ReaderProcess, AReaderOfAnotherVersionRefuses) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], kReaderSocket);
  std::string name = "roundtrip-reader", version = "0.0.1 protocol 0";
  std::array<char*, 3> arguments = {name.data(), version.data(), nullptr};
  pid_t process = -1;
  ASSERT_EQ(::posix_spawn(&process, kTestReader, &files, nullptr, arguments.data(), environ), 0);
  posix_spawn_file_actions_destroy(&files);
  ::close(ends[1]);
  ASSERT_TRUE(send_request(ends[0], {.task = "echo", .arguments = "", .folder = "", .seconds = 1}));
  const auto reply = receive_reply(ends[0], {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->kind, ReaderReply::Kind::error);
  EXPECT_THAT(reply->bytes, HasSubstr("expected version 0.0.1 protocol 0, found " +
                                      reader_version() + "; build or install all programs again"));
  ::close(ends[0]);
  ::waitpid(process, nullptr, 0);
}

TEST(ReaderProgram, IsFoundWithoutBeingNamed) {
  const EnvironmentValue none("ROUNDTRIP_READER", "");
  EXPECT_EQ(reader_program().filename(), "roundtrip-reader");
  const EnvironmentValue named("ROUNDTRIP_READER", "/nowhere/reader");
  EXPECT_EQ(reader_program(), "/nowhere/reader");
}

// It starts with every program that opens a data file; FFmpeg alone would take ten times as long.
TEST(ReaderProgram, LoadsOnlyWhatItNeeds) {
  const EnvironmentValue none("ROUNDTRIP_READER", "");
  const std::string bytes = read_file(reader_program());
  for (const char* library : {"libavcodec.so", "libcurl.so", "libtorch", "libyaml-cpp.so"}) {
    EXPECT_THAT(bytes.find(library), std::string::npos) << library;
  }
}

}  // namespace
}  // namespace roundtrip
