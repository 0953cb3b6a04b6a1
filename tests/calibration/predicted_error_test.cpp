#include "roundtrip/calibration/predicted_error.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// log E = log C, deviation 0.5.
Calibrator identity_calibrator() {
  Calibrator calibrator;
  calibrator.key = {"E", "C", "line"};
  calibrator.features = make_features("C", "line");
  Isotonic model;
  model.x = {std::log(0.01), std::log(10.0)};
  model.mean = model.x;
  model.sigma = 0.5;
  calibrator.model = model;
  return calibrator;
}

Curve curve_of(const std::vector<double>& c) {
  Curve curve;
  for (size_t i = 0; i < c.size(); ++i) curve.add(static_cast<int64_t>(i) + 1, {{"C", c[i]}});
  return curve;
}

TEST(PredictedError, IsTheBandOfALogNormal) {
  const PredictedError found = predict_error(identity_calibrator(), curve_of({0.2}), 0, 0.95);
  EXPECT_EQ(found.target, "E");
  EXPECT_NEAR(found.median, 0.2, 1e-12);
  EXPECT_NEAR(found.gaussian.low, 0.2 * std::exp(-1.959964 * 0.5), 1e-6);
  EXPECT_NEAR(found.gaussian.high, 0.2 * std::exp(1.959964 * 0.5), 1e-6);
  EXPECT_NEAR(found.gaussian.upper, 0.2 * std::exp(1.644854 * 0.5), 1e-6);
  EXPECT_FALSE(found.conformal.has_value());
  EXPECT_EQ(found.bounds().low, found.gaussian.low);  // for want of another
}

TEST(PredictedError, PrintsTheConformalBandOfItsDepth) {
  Calibrator calibrator = identity_calibrator();
  calibrator.conformal = {
      .levels = {0.9, 0.95},
      .groups = {{.depths = {1}, .trajectories = 18, .two_sided = {1, kInf}, .upper = {0.5, kInf}},
                 {.depths = {2, 3}, .trajectories = 19, .two_sided = {2, 3}, .upper = {1.5, 2.5}}},
      .all = {}};
  const Curve curve = curve_of({0.2, 0.2, 0.2});
  for (const size_t at : {1, 2}) {
    const PredictedError found = predict_error(calibrator, curve, at, 0.95);
    EXPECT_NEAR(found.bounds().low, 0.2 * std::exp(-3 * 0.5), 1e-12);
    EXPECT_NEAR(found.bounds().high, 0.2 * std::exp(3 * 0.5), 1e-12);
    EXPECT_NEAR(found.bounds().upper, 0.2 * std::exp(2.5 * 0.5), 1e-12);
    EXPECT_NEAR(found.gaussian.high, 0.2 * std::exp(1.959964 * 0.5), 1e-6);  // beside it
  }
  EXPECT_NEAR(predict_error(calibrator, curve, 0, 0.9).bounds().high, 0.2 * std::exp(0.5), 1e-12);
  // 18 trajectories are too few for 95 percent: the Gaussian band, not an infinite one.
  EXPECT_FALSE(predict_error(calibrator, curve, 0, 0.95).conformal.has_value());
  // Of enough trajectories, two of which diverged, it is infinite.
  calibrator.conformal.groups[0].trajectories = 30;
  EXPECT_EQ(predict_error(calibrator, curve, 0, 0.95).bounds().high, kInf);
}

// A calibrator would clamp infinity to the largest signal it knows, and so trust it.
TEST(PredictedError, ARolloutThatBlewUpIsInfinitelyWrong) {
  const Curve curve = curve_of({0.2, kInf, std::nan("")});
  for (const size_t at : {1, 2}) {
    const PredictedError found = predict_error(identity_calibrator(), curve, at, 0.95);
    EXPECT_EQ(found.median, kInf);
    EXPECT_EQ(found.bounds().upper, kInf);
    EXPECT_EQ(found.gaussian.upper, kInf);
    EXPECT_EQ(found.bounds().low, kInf);
  }
}

TEST(AlarmState, RingsAboveItsThresholdAndOnWhatBlewUp) {
  CalibratorSet set;
  set.alarms = {{.signal = "C",
                 .depths = {1, 2},
                 .mean = {0, 0},
                 .sigma = {1, 1},
                 .trajectories = 50,
                 .levels = {0.95},
                 .thresholds = {2}}};
  EXPECT_FALSE(alarm_state(set, "C", curve_of({1, std::exp(1.9)}), 0.95)->raised);
  EXPECT_TRUE(alarm_state(set, "C", curve_of({1, std::exp(2.1)}), 0.95)->raised);
  EXPECT_TRUE(alarm_state(set, "C", curve_of({1, std::nan("")}), 0.95)->raised);
  EXPECT_FALSE(alarm_state(set, "C", curve_of({1}), 0.9).has_value());
  EXPECT_FALSE(alarm_state(set, "spread_seed", curve_of({1}), 0.95).has_value());
}

}  // namespace
}  // namespace roundtrip
