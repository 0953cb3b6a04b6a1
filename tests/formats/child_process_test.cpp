#include "roundtrip/formats/child_process.h"

#include <csignal>
#include <ctime>
#include <stdexcept>

#include <gmock/gmock.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/threads.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(CallInChild, ReturnsTheBytes) {
  EXPECT_EQ(call_in_child("here", "", [] { return std::string(); }), "");
  std::string large(3000000, 'x');  // many times what a pipe holds
  large[12345] = '\0';
  EXPECT_TRUE(call_in_child("here", "", [&] { return large; }) == large);
}

TEST(CallInChild, LeavesThisProcessAsItWas) {
  int value = 1;
  call_in_child("here", "", [&] {
    value = 2;
    return std::string("done");
  });
  EXPECT_EQ(value, 1);
}

TEST(CallInChild, ErrorsComeThroughWordForWord) {
  EXPECT_THAT(([] {
                call_in_child("here", "", []() -> std::string {
                  throw Error("well", "a.hdf5: expected [1, 2] things");
                });
              }),
              ThrowsMessage<Error>("[well] a.hdf5: expected [1, 2] things"));
}

TEST(CallInChild, CrashesAreErrors) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGKILL}) {
    EXPECT_THAT(([&] {
                  call_in_child("a.hdf5", "get another", [&]() -> std::string {
                    std::raise(signal);
                    return "";
                  });
                }),
                ThrowsMessage<Error>(HasSubstr("a.hdf5: expected a file its library can work on, "
                                               "found that it crashes; get another")));
  }
  EXPECT_THAT(([] {
                call_in_child("a.hdf5", "get another",
                              []() -> std::string { throw std::bad_alloc(); });
              }),
              ThrowsMessage<Error>(HasSubstr("crashes")));
}

TEST(CallInChild, EndlessLoopsAreErrors) {
  EXPECT_THAT(([] {
                call_in_child("a.hdf5", "get another", []() -> std::string {
                  volatile bool forever = true;
                  while (forever) {
                  }
                  return "";
                });
              }),
              ThrowsMessage<Error>(HasSubstr("found that it does not end; get another")));
}

TEST(CallInChild, SleepersAreErrorsToo) {
  EXPECT_THAT(([] {
                call_in_child("a.hdf5", "get another", []() -> std::string {
                  std::raise(SIGALRM);  // what ends them after two minutes
                  return "";
                });
              }),
              ThrowsMessage<Error>(HasSubstr("found that it does not end; get another")));
}

// A second more than the usual limit.
TEST(CallInChild, SlowLongWorkMayAskForMoreTime) {
  const auto work = [] {
    while (std::clock() < (kChildSeconds + 1) * CLOCKS_PER_SEC) {
    }
    return std::string("done");
  };
  EXPECT_EQ(call_in_child("a.hdf5", "", work, kChildSeconds + 10), "done");
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(CallInChild, AllTheMemoryIsNotForTheTaking) {
  EXPECT_THAT(([] {
                call_in_child("a.hdf5", "get another",
                              [] { return std::string(size_t{5} << 30, 'x').substr(0, 1); });
              }),
              ThrowsMessage<Error>(HasSubstr("crashes")));
}
#endif

TEST(CallInChild, SharedFloatsComeBack) {
  const SharedFloats shared(100000);
  EXPECT_EQ(shared.data()[99999], 0);
  call_in_child("here", "", [&] {
    shared.data()[99999] = 2.5f;
    return std::string();
  });
  EXPECT_EQ(shared.data()[99999], 2.5f);
}

// The second is started while the first still works.
TEST(CallInChild, ChildrenWorkSideBySide) {
  ChildCall first("here", "", [] { return std::string("first"); });
  ChildCall second("here", "", [] { return std::string("second"); });
  const ChildCall never_asked("here", "", [] { return std::string("third"); });
  EXPECT_EQ(second.answer(), "second");
  EXPECT_EQ(first.answer(), "first");
}

TEST(CallInChild, WorksFromManyThreads) {
  parallel_for(32, /*threads=*/4, [](int64_t i) {
    EXPECT_EQ(call_in_child("here", "", [&] { return std::to_string(i); }), std::to_string(i));
  });
}

}  // namespace
}  // namespace roundtrip
