#include "roundtrip/metrics/percentile_rank.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

using testing::ElementsAre;

// Four trajectories at depths 1 and 2.
CurveGrid four() { return {{0, 1, 2, 3}, {1, 2}, {1, 10, 2, 20, 3, 30, 4, 40}}; }

TEST(PercentileRanks, OneTrajectoryHasItsPercentile) {
  // Two of four lie below 2.5; three below 4 and one ties.
  EXPECT_THAT(percentile_ranks(four(), {{7}, {1, 2}, {2.5, 50}}).at_depth, ElementsAre(0.5, 1.0));
  const PercentileRanks tied = percentile_ranks(four(), {{8}, {1, 2}, {4, 5}});
  EXPECT_THAT(tied.depths, ElementsAre(1, 2));
  EXPECT_THAT(tied.at_depth, ElementsAre(0.875, 0.0));
}

TEST(PercentileRanks, SeveralHaveTheMeanOfTheirs) {
  const PercentileRanks found = percentile_ranks(four(), {{7, 8}, {1, 2}, {2.5, 50, 4, 5}});
  EXPECT_THAT(found.at_depth, ElementsAre((0.5 + 0.875) / 2, 0.5));
}

// Geometric means of the reference: sqrt(10) times 1, 2, 3, 4. The others' are sqrt(125) = 3.54
// and sqrt(20) = 1.41 of it: above three, and above one.
TEST(PercentileRanks, TheMeanIsOfLogarithms) {
  EXPECT_EQ(percentile_ranks(four(), {{0}, {1, 2}, {2.5, 50}}).by_mean, 0.75);
  EXPECT_EQ(percentile_ranks(four(), {{0}, {1, 2}, {4, 5}}).by_mean, 0.25);
}

TEST(PercentileRanks, UsesTheDepthsThatBothHave) {
  const PercentileRanks found = percentile_ranks(four(), {{0}, {2, 3}, {25, 1}});
  EXPECT_THAT(found.depths, ElementsAre(2));
  EXPECT_THAT(found.at_depth, ElementsAre(0.5));
  EXPECT_THROW(percentile_ranks(four(), {{0}, {3}, {1}}), Error);
}

TEST(PercentileRanks, ARolloutThatBlewUpIsHighest) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(percentile_ranks(four(), {{0}, {1, 2}, {0, 1}}).by_mean, 0.0);
  EXPECT_EQ(percentile_ranks(four(), {{1}, {1, 2}, {5, infinity}}).by_mean, 1.0);
}

}  // namespace
}  // namespace roundtrip
