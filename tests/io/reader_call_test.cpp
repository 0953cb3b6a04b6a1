#include "roundtrip/io/reader_call.h"

#include <csignal>
#include <filesystem>
#include <numeric>
#include <thread>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/threads.h"
#include "tests/support/environment.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Calls tests/support/test_reader.cpp.
class ReaderCallTest : public testing::Test {
 protected:
  static std::string call(const char* task, const std::string& arguments = "",
                          int64_t seconds = kReaderSeconds) {
    return call_reader({.task = task, .on = "a.hdf5", .advice = "get another", .seconds = seconds},
                       arguments);
  }
  static pid_t process() { return std::stoi(call("process")); }
  static auto throws(const std::string& text) { return ThrowsMessage<Error>(HasSubstr(text)); }

 private:
  const EnvironmentValue program_{"ROUNDTRIP_READER", ROUNDTRIP_TEST_READER};
};

TEST_F(ReaderCallTest, ReturnsTheBytes) {
  EXPECT_EQ(call("echo"), "");
  std::string large(3000000, 'x');  // many times what a socket holds
  large[12345] = '\0';
  EXPECT_TRUE(call("echo", large) == large);
}

TEST_F(ReaderCallTest, FillsAnArray) {
  std::vector<float> sent(100'000), received(sent.size());
  std::iota(sent.begin(), sent.end(), 0.5f);
  call_reader({.task = "echo", .on = "a.hdf5", .advice = ""},
              {reinterpret_cast<const char*>(sent.data()), sent.size() * sizeof(float)}, received);
  EXPECT_EQ(received, sent);
}

TEST_F(ReaderCallTest, ErrorsComeThroughWordForWord) {
  EXPECT_THAT([] { call("error", "a.hdf5: expected [1, 2] things"); },
              ThrowsMessage<Error>("[well] a.hdf5: expected [1, 2] things"));
  EXPECT_THAT([] { call("bug", "ours"); }, ThrowsMessage<Bug>("ours"));
  EXPECT_THROW(call("no such task"), Bug);
}

TEST_F(ReaderCallTest, CrashesAreOneLine) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE}) {
    EXPECT_THAT([&] { call("signal", std::to_string(signal)); },
                ThrowsMessage<Error>("[file] a.hdf5: expected a file its library can work on, "
                                     "found that it crashes; get another"));
  }
  EXPECT_THAT([] { call("no memory"); }, throws("found that it crashes; get another"));
}

TEST_F(ReaderCallTest, AKilledReaderIsNotTheFilesFault) {
  EXPECT_THAT([] { call("signal", std::to_string(SIGKILL)); },
              ThrowsMessage<Error>("[file] a.hdf5: " ROUNDTRIP_TEST_READER
                                   ", which works on it, was killed (signal 9); try again, with "
                                   "more memory free"));
}

TEST_F(ReaderCallTest, EndlessLoopsAreErrors) {
  EXPECT_THAT([] { call("processor", "60", /*seconds=*/1); },
              throws("found that it does not end; get another"));
}

TEST_F(ReaderCallTest, SleepersAreErrorsToo) {
  // What ends them after two minutes.
  EXPECT_THAT([] { call("signal", std::to_string(SIGALRM)); },
              throws("found that it does not end; get another"));
}

// The limit is on a request, not on all that a reader has done before.
TEST_F(ReaderCallTest, SlowTimeIsCountedAnewForEveryRequest) {
  const pid_t first = process();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(call("processor", "1", /*seconds=*/2), "done");
  EXPECT_EQ(process(), first);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_F(ReaderCallTest, AllTheMemoryIsNotForTheTaking) {
  EXPECT_THAT([] { call("gigabytes", "5"); }, throws("crashes"));
}
#endif

TEST_F(ReaderCallTest, AReaderServesManyCalls) {
  const pid_t first = process();
  EXPECT_EQ(call("echo", "x"), "x");
  EXPECT_EQ(process(), first);
}

// What is damaged may have harmed it, and what writes is not tried twice.
TEST_F(ReaderCallTest, ErrorsAndWritesHaveAReaderOfTheirOwn) {
  const pid_t first = process();
  EXPECT_THROW(call("error", "x"), Error);
  const pid_t second = process();
  EXPECT_NE(second, first);
  const ReaderCall writing{.task = "process", .on = "", .advice = "", .writes = true};
  EXPECT_NE(std::stoi(call_reader(writing, "")), second);
  EXPECT_EQ(process(), second);
}

TEST_F(ReaderCallTest, AFileIsNotBlamedForWhatAnotherDid) {
  EXPECT_EQ(call("crash unless new"), "done");
  EXPECT_EQ(call("crash unless new"), "done");
}

TEST_F(ReaderCallTest, AReaderKilledWhileItWaitsIsReplaced) {
  const pid_t first = process();
  ASSERT_EQ(::kill(first, SIGKILL), 0);
  EXPECT_NE(process(), first);
  EXPECT_EQ(::kill(first, 0), -1);  // and has left no zombie
  EXPECT_EQ(errno, ESRCH);
}

TEST_F(ReaderCallTest, RequestsToStopAreLeftToThisProcess) {
  const pid_t first = process();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ASSERT_EQ(::kill(first, signal), 0);
  EXPECT_EQ(process(), first);
}

TEST_F(ReaderCallTest, RelativePathsBeginWhereThisProcessIs) {
  const auto before = std::filesystem::current_path();
  EXPECT_EQ(call("folder"), before.string());
  std::filesystem::current_path("/");
  EXPECT_EQ(call("folder"), "/");
  std::filesystem::current_path(before);
}

TEST_F(ReaderCallTest, WorksFromManyThreads) {
  parallel_for(64, /*threads=*/4,
               [](int64_t i) { EXPECT_EQ(call("echo", std::to_string(i)), std::to_string(i)); });
}

// Both ends of a named pipe are opened at once or not at all.
TEST_F(ReaderCallTest, ThreadsDoNotWaitForEachOther) {
  const std::string pipe = testing::TempDir() + "reader_call_pipe";
  std::filesystem::remove(pipe);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string read;
  std::thread reading([&] { read = call("read", pipe); });
  call("write", pipe);
  reading.join();
  EXPECT_EQ(read, "written");
  std::filesystem::remove(pipe);
}

// As Python's multiprocessing makes copies of a process.
TEST_F(ReaderCallTest, ACopyOfThisProcessStartsItsOwn) {
  const pid_t ours = process();
  const pid_t copy = ::fork();
  if (copy == 0) ::_exit(process() != ours && call("echo", "x") == "x" ? 0 : 1);
  int status = -1;
  ASSERT_EQ(::waitpid(copy, &status, 0), copy);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(process(), ours);
}

TEST(ReaderCall, AMissingProgramIsOneLine) {
  const EnvironmentValue program("ROUNDTRIP_READER", "/nowhere/roundtrip-reader");
  EXPECT_THAT(([] { call_reader({.task = "echo", .on = "a.hdf5", .advice = ""}, ""); }),
              ThrowsMessage<Error>("[program] /nowhere/roundtrip-reader: cannot be run: No such "
                                   "file or directory; build or install it again, or set "
                                   "ROUNDTRIP_READER to its path"));
}

}  // namespace
}  // namespace roundtrip
