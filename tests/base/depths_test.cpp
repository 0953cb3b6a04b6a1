#include "roundtrip/base/depths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roundtrip {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Depths, Doubling) {
  EXPECT_THAT(doubling_depths(16), ElementsAre(1, 2, 4, 8, 16));
  EXPECT_THAT(doubling_depths(15), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(doubling_depths(1), ElementsAre(1));
  EXPECT_THAT(doubling_depths(0), IsEmpty());
}

TEST(Depths, MeasuredOnesAreCloseAtFirstAndEndAtTheDeepest) {
  EXPECT_THAT(measured_depths(98),
              ElementsAre(1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 98));
  EXPECT_THAT(measured_depths(10), ElementsAre(1, 2, 3, 4, 5, 6, 8, 10));
  EXPECT_THAT(measured_depths(7), ElementsAre(1, 2, 3, 4, 5, 6, 7));
  for (int64_t deepest = 1; deepest <= 300; ++deepest) {
    const auto depths = measured_depths(deepest);
    EXPECT_EQ(depths.back(), deepest);
    EXPECT_EQ(depths.front(), 1);
    int64_t steps = 0;
    for (size_t i = 0; i < depths.size(); ++i) {
      if (i > 0) EXPECT_GT(depths[i], depths[i - 1]);
      steps += depths[i];
    }
    EXPECT_LT(steps, 6 * deepest) << deepest;  // what the ways back cost
  }
}

}  // namespace
}  // namespace roundtrip
