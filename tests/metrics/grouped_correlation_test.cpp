#include "roundtrip/metrics/grouped_correlation.h"

#include <gtest/gtest.h>

#include "metrics/sample.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

struct Curves {
  std::vector<int64_t> trajectory, depth;
  std::vector<double> x, y;

  void add(int64_t k, int64_t d, double c, double e) {
    trajectory.push_back(k);
    depth.push_back(d);
    x.push_back(c);
    y.push_back(e);
  }
  operator PairedCurves() const { return {trajectory, depth, x, y}; }
};

// Six trajectories of nine depths, as in tests/reference/statistics.py.
Curves example() {
  Curves curves;
  for (int64_t k = 0; k < 6; ++k) {
    const auto kk = static_cast<double>(k);
    const auto c = wave(9, 0.3 * kk), e = wave(9, 0.3 * kk + 0.8);
    for (int64_t d = 0; d < 9; ++d) {
      const double trend = 0.25 * static_cast<double>(d);
      curves.add(k, d, c[d] + trend, e[d] + trend + 0.1 * kk);
    }
  }
  return curves;
}

TEST(GroupedCorrelation, AgreesWithScipy) {
  const auto within = correlation_within(example(), Correlation::spearman);
  EXPECT_NEAR(within->mean, 0.5888888888888889, 1e-14);
  EXPECT_NEAR(*within->sd, 0.2379698082312746, 1e-14);
  EXPECT_EQ(within->trajectories, 6);
  EXPECT_EQ(within->undefined, 0);
  EXPECT_NEAR(*correlation_at_depth(example(), 4, Correlation::spearman), -0.02857142857142857,
              1e-14);
  EXPECT_NEAR(*correlation_at_depth(example(), 4, Correlation::pearson), 0.0726597705929487, 1e-13);
}

TEST(GroupedCorrelation, OrderOfRowsAndLabelsDoNotMatter) {
  const Curves ordered = example();
  Curves mixed;
  for (size_t i = 0; i < ordered.x.size(); ++i) {
    const size_t j = i * 23 % ordered.x.size();  // 23 and 54 share no factor
    mixed.add(100 - ordered.trajectory[j], ordered.depth[j], ordered.x[j], ordered.y[j]);
  }
  EXPECT_NEAR(correlation_within(mixed, Correlation::pearson)->mean,
              correlation_within(ordered, Correlation::pearson)->mean, 1e-14);
  EXPECT_NEAR(*correlation_at_depth(mixed, 4, Correlation::pearson),
              *correlation_at_depth(ordered, 4, Correlation::pearson), 1e-14);
}

TEST(GroupedCorrelation, DegenerateCurvesHaveAStatedResult) {
  Curves curves;
  for (int64_t d = 0; d < 5; ++d) curves.add(0, d, 1, static_cast<double>(d));  // constant signal
  EXPECT_FALSE(correlation_within(curves, Correlation::spearman).has_value());
  EXPECT_FALSE(correlation_at_depth(curves, 3, Correlation::spearman).has_value());
  EXPECT_FALSE(correlation_at_depth(curves, 77, Correlation::spearman).has_value());
  EXPECT_FALSE(bootstrap_at_depth(curves, 77, Correlation::spearman).has_value());
  EXPECT_FALSE(bootstrap_within(curves, Correlation::spearman).has_value());
  curves.add(1, 0, 1, 5);  // two depths: a sign
  curves.add(1, 1, 2, 4);
  const auto one = correlation_within(curves, Correlation::spearman);
  EXPECT_EQ(one->mean, -1);
  EXPECT_FALSE(one->sd.has_value());
  EXPECT_EQ(one->trajectories, 1);
  EXPECT_EQ(one->undefined, 1);
  curves.add(1, 1, 3, 3);
  EXPECT_EQ(error_of([&] { correlation_within(curves, Correlation::spearman); }),
            "[stats] trajectory 1 has more than one row at depth 1; expected one");
}

TEST(GroupedCorrelation, IntervalsHoldTheirEstimates) {
  const Curves curves = example();
  const auto within = bootstrap_within(curves, Correlation::spearman);
  EXPECT_LT(within->low, 0.5888888888888889);
  EXPECT_GT(within->high, 0.5888888888888889);
  // The mean of six has the standard error sd / sqrt(6) = 0.097; the interval is about four wide.
  EXPECT_NEAR(within->high - within->low, 4 * 0.0887, 0.08);
  const auto at_depth = bootstrap_at_depth(curves, 4, Correlation::spearman);
  EXPECT_LT(at_depth->low, -0.2);  // six trajectories say next to nothing
  EXPECT_GT(at_depth->high, 0.2);
}

}  // namespace
}  // namespace roundtrip
