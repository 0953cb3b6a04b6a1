#include "roundtrip/stats/novelty.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/base/error.h"
#include "roundtrip/stats/auroc.h"

namespace roundtrip {
namespace {

using testing::ElementsAre;

// Four trajectories at depths 1 and 2.
CurveGrid four() { return {{0, 1, 2, 3}, {1, 2}, {1, 10, 2, 20, 3, 30, 4, 40}}; }

TEST(Novelty, CountsTheReferenceBelow) {
  const CurveGrid others{{7, 8}, {1, 2}, {2.5, 50, 4, 5}};
  const Novelty found = novelty(four(), others);
  EXPECT_THAT(found.depths, ElementsAre(1, 2));
  EXPECT_THAT(found.trajectories, ElementsAre(7, 8));
  // Two of four lie below 2.5; three below 4 and one ties.
  EXPECT_THAT(found.at_depth[0].percentile, ElementsAre(0.5, 0.875));
  EXPECT_THAT(found.at_depth[1].percentile, ElementsAre(1.0, 0.0));
  EXPECT_DOUBLE_EQ(found.at_depth[0].auroc.value(), (0.5 + 0.875) / 2);
  EXPECT_DOUBLE_EQ(found.at_depth[1].auroc.value(), 0.5);
}

// Geometric means of the reference: sqrt(10) times 1, 2, 3, 4. The others' are sqrt(125) = 3.54
// and sqrt(20) = 1.41 of it: above three, and above one.
TEST(Novelty, TheMeanIsOfLogarithms) {
  const CurveGrid others{{0, 1}, {1, 2}, {2.5, 50, 4, 5}};
  EXPECT_THAT(novelty(four(), others).by_mean.percentile, ElementsAre(0.75, 0.25));
}

TEST(Novelty, UsesTheDepthsThatBothHave) {
  const CurveGrid others{{0}, {2, 3}, {25, 1}};
  const Novelty found = novelty(four(), others);
  EXPECT_THAT(found.depths, ElementsAre(2));
  EXPECT_THAT(found.at_depth[0].percentile, ElementsAre(0.5));
  EXPECT_THROW(novelty(four(), {{0}, {3}, {1}}), Error);
}

TEST(Novelty, ARolloutThatBlewUpIsHighest) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Novelty found = novelty(four(), {{0, 1}, {1, 2}, {0, 1, 5, infinity}});
  EXPECT_THAT(found.by_mean.percentile, ElementsAre(0.0, 1.0));
}

TEST(HighErrorAuroc, KnowsNothingOfDepth) {
  // The score ranks the errors at depth 1 and reverses them at depth 2; over both together, which
  // differ by depth most, it would look good.
  const CurveGrid error{{0, 1, 2, 3, 4}, {1, 2}, {1, 14, 2, 13, 3, 12, 4, 11, 5, 10}};
  const CurveGrid score{{0, 1, 2, 3, 4}, {1, 2}, {1, 10, 2, 11, 3, 12, 4, 13, 5, 14}};
  EXPECT_THAT(high_error_auroc(score, error), ElementsAre(1.0, 0.0));
}

TEST(AurocOfErrorsAbove, TakesTheThresholdAsGiven) {
  const std::vector<double> score = {1, 2, 3, 4}, error = {5, 1, 6, 7};
  // Above 4.5: scores 1, 3, 4; below: 2. Two of three are higher.
  EXPECT_DOUBLE_EQ(auroc_of_errors_above(score, error, 4.5).value(), 2.0 / 3);
  EXPECT_FALSE(auroc_of_errors_above(score, error, 10).has_value());
}

}  // namespace
}  // namespace roundtrip
