#include "roundtrip/data/prefetch.h"

#include <atomic>
#include <memory>

#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using namespace std::chrono_literals;

TEST(Prefetch, HandsOutItemsInOrder) {
  Prefetch<std::unique_ptr<int64_t>> items([](int64_t i) { return std::make_unique<int64_t>(i); },
                                           5, 105);
  for (int64_t i = 5; i < 105; ++i) EXPECT_EQ(**items.next(), i);
  EXPECT_FALSE(items.next().has_value());
  EXPECT_FALSE(items.next().has_value());
}

TEST(Prefetch, IsNeverMoreThanDepthAhead) {
  std::atomic<int64_t> made = 0;
  Prefetch<int64_t> items([&](int64_t i) { return ++made, i; }, 0, Prefetch<int64_t>::kEndless, 3);
  for (int64_t taken = 1; taken <= 50; ++taken) {
    EXPECT_EQ(items.next(), taken - 1);
    // Three wait; a fourth may only be begun once one of them is taken.
    EXPECT_LE(made, taken + 3);
  }
}

TEST(Prefetch, AnErrorComesInItsPlace) {
  Prefetch<int64_t> items(
      [](int64_t i) {
        if (i == 3) throw Error("data", "item three");
        return i;
      },
      0);
  for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(items.next(), i);
  EXPECT_EQ(error_of([&] { items.next(); }), "[data] item three");
  EXPECT_EQ(error_of([&] { items.next(); }), "[data] item three");
}

TEST(Prefetch, StopsWithoutBeingEmptied) {
  std::atomic<int64_t> made = 0;
  for (int round = 0; round < 50; ++round) {
    Prefetch<int64_t> items([&](int64_t i) { return ++made, i; }, 0);
    if (round % 2 == 0) items.next();
  }
  const int64_t after = made;
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(made, after);
}

TEST(Prefetch, WaitingIsMeasured) {
  {
    // Each item is waited for.
    Prefetch<int64_t> slow([](int64_t i) { return std::this_thread::sleep_for(10ms), i; }, 0);
    for (int i = 0; i < 5; ++i) slow.next();
    EXPECT_GT(slow.waiting_fraction(), 0.5);
    EXPECT_LE(slow.waiting_fraction(), 1.0);
  }
  {
    // All are ready long before they are asked for.
    Prefetch<int64_t> fast([](int64_t i) { return i; }, 0, 3, /*depth=*/3);
    std::this_thread::sleep_for(50ms);
    while (fast.next()) continue;
    EXPECT_LT(fast.waiting_fraction(), 0.5);
  }
}

}  // namespace
}  // namespace roundtrip
