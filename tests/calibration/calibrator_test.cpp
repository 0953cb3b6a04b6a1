#include "roundtrip/calibration/calibrator.h"

#include <cmath>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

Calibrator example_calibrator() {
  Calibrator calibrator;
  calibrator.key = {"E", "none", "alone"};
  calibrator.model = PolynomialGaussian{
      .form = {}, .degrees = {0, 0}, .inputs = {}, .mean = {1}, .log_sigma = {std::log(0.5)}};
  calibrator.conformal = {
      .levels = {0.9},
      .groups = {{.depths = {5}, .trajectories = 20, .two_sided = {3}, .upper = {2}},
                 {.depths = {10}, .trajectories = 20, .two_sided = {4}, .upper = {3}}},
      .all = ConformalGroup{
          .depths = {5, 10}, .trajectories = 20, .two_sided = {6}, .upper = {5}}};
  return calibrator;
}

TEST(Calibrator, BoundsTheErrorAtADepthOrAtAllOfThem) {
  using Holds = Calibrator::Holds;
  const Calibrator calibrator = example_calibrator();
  Curve curve;
  curve.add(5, {});
  curve.add(7, {});
  const UpperError each = calibrator.upper_error(curve, 0, 0.9, Holds::each_depth);
  EXPECT_NEAR(each.gaussian, std::exp(1 + 0.5 * 1.2815515655), 1e-8);
  EXPECT_NEAR(each.conformal.value(), std::exp(2), 1e-12);
  const UpperError all = calibrator.upper_error(curve, 0, 0.9, Holds::all_depths);
  EXPECT_NEAR(all.conformal.value(), std::exp(3.5), 1e-12);
  // Between two depths: the larger quantile; nothing is said of all depths together there.
  EXPECT_NEAR(calibrator.upper_error(curve, 1, 0.9, Holds::each_depth).conformal.value(),
              std::exp(2.5), 1e-12);
  EXPECT_FALSE(calibrator.upper_error(curve, 1, 0.9, Holds::all_depths).conformal.has_value());
  // A level that was not calibrated has no conformal bound.
  EXPECT_FALSE(calibrator.upper_error(curve, 0, 0.8, Holds::each_depth).conformal.has_value());
}

TEST(Calibrator, KnowsWhetherItIsCausal) {
  Calibrator calibrator = example_calibrator();
  EXPECT_TRUE(calibrator.causal());
  calibrator.key.features = "trajectory_mean";
  EXPECT_FALSE(calibrator.causal());
  EXPECT_EQ(calibrator.key.text(), "E from none (trajectory_mean)");
}

}  // namespace
}  // namespace roundtrip
