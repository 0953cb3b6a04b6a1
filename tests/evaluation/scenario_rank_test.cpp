#include "roundtrip/evaluation/scenario_rank.h"

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

// C is the trajectory's number, from 1.
CurveTable numbered_table(int64_t trajectories, int64_t depths, double offset) {
  return synthetic_table("test", trajectories, depths, [offset](int64_t t, int64_t) {
    return SyntheticRow{{"C", static_cast<double>(t + 1) + offset}};
  });
}

TEST(ScenarioRank, IsTheMeanPercentile) {
  const CurveTable test = numbered_table(4, 3, 0);
  // 1.5 and 2.5 among 1, 2, 3, 4: percentiles 1/4 and 1/2.
  const ScenarioRank found = scenario_rank(test, numbered_table(2, 2, 0.5), "C");
  EXPECT_EQ(found.depths, (std::vector<int64_t>{1, 2}));
  EXPECT_DOUBLE_EQ(*found.at(2).value, 0.375);
  EXPECT_DOUBLE_EQ(*found.by_mean.value, 0.375);
  EXPECT_LE(found.at(2).interval->low, 0.375);
  EXPECT_FALSE(found.at(3).value);
  EXPECT_EQ(*scenario_rank(test, numbered_table(1, 3, 10), "C").at(1).value, 1);
}

TEST(ScenarioRank, IsEmptyWithoutTheColumn) {
  const CurveTable test = numbered_table(4, 3, 0);
  EXPECT_TRUE(scenario_rank(test, test, "spread_seed").depths.empty());
}

}  // namespace
}  // namespace roundtrip
