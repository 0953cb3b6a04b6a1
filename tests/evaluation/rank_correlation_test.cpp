#include "roundtrip/evaluation/rank_correlation.h"

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

TEST(RankCorrelation, OfAnIncreasingFunctionIsOne) {
  const CurveTable table = synthetic_table("test", 6, 4, [](int64_t t, int64_t d) {
    const double e = static_cast<double>((t + 1) * d);
    return SyntheticRow{{"E", e}, {"C", e * e}, {"falling", 1 / e}, {"flat", 1.0}};
  });
  const CorrelationEstimates rising = rank_correlations(table, "C", "E");
  ASSERT_EQ(rising.depths.size(), 4u);
  EXPECT_NEAR(*rising.at(3).value, 1, 1e-12);
  EXPECT_NEAR(rising.at(3).interval->low, 1, 1e-12);
  EXPECT_NEAR(*rising.within.value, 1, 1e-12);
  EXPECT_NEAR(*rising.within_sd, 0, 1e-12);
  EXPECT_FALSE(rising.at(5).value);
  EXPECT_NEAR(*rank_correlations(table, "falling", "E").within.value, -1, 1e-12);
  EXPECT_FALSE(rank_correlations(table, "flat", "E").at(2).value);
  // log C = 2 log E.
  EXPECT_NEAR(*log_correlations(table, "C", "E").at(3).value, 1, 1e-12);
}

}  // namespace
}  // namespace roundtrip
