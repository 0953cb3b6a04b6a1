#include "roundtrip/base/threads.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>

namespace roundtrip {
namespace {

TEST(ParallelFor, CallsEachIndexOnce) {
  for (const int64_t threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> calls(100);
    parallel_for(100, threads, [&](int64_t i) { ++calls[i]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelFor, NothingToDo) {
  parallel_for(0, 4, [](int64_t) { FAIL(); });
}

TEST(ParallelFor, RethrowsAndStops) {
  std::atomic<int64_t> calls{0};
  EXPECT_THROW(parallel_for(1000000, 2,
                            [&](int64_t i) {
                              ++calls;
                              if (i == 3) throw std::runtime_error("three");
                            }),
               std::runtime_error);
  EXPECT_LT(calls, 1000000);
}

TEST(AvailableThreads, AreAsManyAsTheLimit) {
  limit_threads(7);
  EXPECT_EQ(available_threads(), 7);
  EXPECT_EQ(thread_limit(), 7);
  limit_threads({});
  EXPECT_EQ(thread_limit(), std::nullopt);
}

// As under taskset or in a container: the machine's cores are not all ours.
TEST(AvailableThreads, AreTheCoresThisProcessMayRunOn) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(available_threads(), CPU_COUNT(&before));
  CPU_ZERO(&one);
  int core = 0;
  while (!CPU_ISSET(core, &before)) ++core;
  CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(available_threads(), 1);
  sched_setaffinity(0, sizeof before, &before);
}

}  // namespace
}  // namespace roundtrip
