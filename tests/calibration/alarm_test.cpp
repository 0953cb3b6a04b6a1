#include "roundtrip/calibration/alarm.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"

namespace roundtrip {
namespace {

// log C grows with depth; neighbours share a trajectory's factor.
Curve draw_curve(uint64_t run, uint64_t trajectory, double shift = 0) {
  const RandomStream random(7, "test.alarm", run);
  Curve curve;
  for (int64_t depth = 1; depth <= 5; ++depth) {
    const double log_c = static_cast<double>(depth) + 0.7 * random.normal(8 * trajectory) +
                         0.7 * random.normal(8 * trajectory + static_cast<uint64_t>(depth));
    curve.add(depth, {{"C", std::exp(log_c + shift)}});
  }
  return curve;
}

std::vector<Curve> draw_curves(uint64_t run, uint64_t first, uint64_t count) {
  std::vector<Curve> curves;
  for (uint64_t t = first; t < first + count; ++t) curves.push_back(draw_curve(run, t));
  return curves;
}

TEST(Alarm, FalseAlarmsOfAWholeRolloutAreAsRareAsPromised) {
  constexpr uint64_t kRuns = 3000;
  double quiet = 0, quiet_on_some = 0;
  for (uint64_t run = 0; run < kRuns; ++run) {
    const auto alarm = fit_alarm("C", draw_curves(run, 0, 15), draw_curves(run, 15, 19), {0.95});
    ASSERT_TRUE(alarm && alarm->trajectories == 19);
    const Curve fresh = draw_curve(run, 40);
    quiet += alarm->statistic(fresh) <= alarm->thresholds[0] ? 1 : 0;
    Curve some;
    some.add(2, {{"C", fresh.column("C")[1]}});
    quiet_on_some += alarm->statistic(some) <= alarm->thresholds[0] ? 1 : 0;
  }
  // ceil(20 * 0.95) / 20, within four standard errors; fewer depths only alarm less.
  const double bound = 4 * std::sqrt(0.95 * 0.05 / kRuns);
  EXPECT_NEAR(quiet / kRuns, 0.95, bound);
  EXPECT_GT(quiet_on_some / kRuns, 0.95 - bound);
}

TEST(Alarm, HearsWhatIsFarOff) {
  const auto alarm = fit_alarm("C", draw_curves(0, 0, 50), draw_curves(0, 50, 50), {0.95});
  EXPECT_GT(alarm->statistic(draw_curve(0, 200, /*shift=*/8)), alarm->thresholds[0]);
  EXPECT_NEAR(*alarm->score(3, std::exp(alarm->mean[2] + 2 * alarm->sigma[2])), 2, 1e-12);
}

TEST(Alarm, DivergedAndVanishedSignals) {
  const auto alarm = fit_alarm("C", draw_curves(0, 0, 10), draw_curves(0, 10, 10), {0.95});
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(*alarm->score(1, std::nan("")), infinity);
  EXPECT_EQ(*alarm->score(1, infinity), infinity);
  EXPECT_EQ(*alarm->score(1, 0), -infinity);
  EXPECT_FALSE(alarm->score(9, 1.0).has_value());
  EXPECT_EQ(alarm->thresholds[0], infinity);  // 10 trajectories are too few for 95 percent
}

TEST(Alarm, NeedsTwoTrajectoriesAndSurvivesEqualOnes) {
  EXPECT_FALSE(fit_alarm("C", draw_curves(0, 0, 1), draw_curves(0, 1, 9), {0.9}).has_value());
  const std::vector<Curve> equal(3, draw_curve(0, 0));
  const auto alarm = fit_alarm("C", equal, equal, {0.5});
  EXPECT_NEAR(alarm->thresholds[0], 0, 1e-9);
}

}  // namespace
}  // namespace roundtrip
