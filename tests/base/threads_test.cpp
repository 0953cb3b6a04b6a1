#include "roundtrip/base/threads.h"

#include <atomic>
#include <cstdlib>
#include <string>
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

TEST(ThreadsFrom, TakesTheFirstNumberAsOpenMpDoes) {
  EXPECT_EQ(threads_from("3"), 3);
  EXPECT_EQ(threads_from("4,2"), 4);
  EXPECT_EQ(threads_from("1000000"), 4096);
  for (const char* none : {"", "abc", "0", "-2", "3x", "99999999999999999999"}) {
    EXPECT_EQ(threads_from(none), std::nullopt) << none;
  }
  EXPECT_EQ(threads_from(nullptr), std::nullopt);
}

// OMP_NUM_THREADS as a test wants it; afterwards as it was.
class AskedThreads {
 public:
  explicit AskedThreads(const char* threads) {
    if (const char* set = std::getenv("OMP_NUM_THREADS")) before_ = set;
    threads == nullptr ? ::unsetenv("OMP_NUM_THREADS")
                       : ::setenv("OMP_NUM_THREADS", threads, /*overwrite=*/1);
  }
  ~AskedThreads() {
    before_ ? ::setenv("OMP_NUM_THREADS", before_->c_str(), /*overwrite=*/1)
            : ::unsetenv("OMP_NUM_THREADS");
  }

 private:
  std::optional<std::string> before_;
};

TEST(AvailableThreads, AreThoseOfTheEnvironmentUnlessThereIsALimit) {
  const AskedThreads asked("3");
  EXPECT_EQ(available_threads(), 3);
  limit_threads(7);
  EXPECT_EQ(available_threads(), 7);
  limit_threads({});
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
  const AskedThreads nothing(nullptr);
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
