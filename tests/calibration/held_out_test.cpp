#include "roundtrip/calibration/held_out.h"

#include <cmath>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

HeldOut rows(const std::vector<std::array<double, 4>>& values) {  // curve, depth, y, mean
  HeldOut out;
  for (const auto& [curve, depth, y, mean] : values) {
    out.add(static_cast<int64_t>(curve), static_cast<int64_t>(depth), y, {mean, 1});
  }
  return out;
}

TEST(HeldOut, GainsArePairedOverCommonRows) {
  // At sigma 1 a row's NLL differs by half the difference of squared errors.
  const HeldOut better = rows({{0, 1, 0, 0}, {0, 2, 0, 0}, {1, 1, 0, 1}, {2, 1, 0, 0}});
  const HeldOut worse = rows({{0, 1, 0, 2}, {0, 3, 0, 9}, {1, 1, 0, 1}, {2, 1, 0, 2}});
  const ClusteredMean found = gain(better, worse);  // 2, 0, 2 on three trajectories
  EXPECT_DOUBLE_EQ(found.mean, 4.0 / 3);
  EXPECT_NEAR(found.standard_error, std::sqrt((4.0 / 9 + 16.0 / 9 + 4.0 / 9) / 2 / 3), 1e-12);
  EXPECT_DOUBLE_EQ(gain(worse, better).mean, -4.0 / 3);
  EXPECT_TRUE(std::isinf(gain(better, HeldOut{}).standard_error));
}

TEST(HeldOut, CountsRowsItCannotPredict) {
  Calibrator constant;
  constant.key = {"E", "C", "alone"};
  constant.features = make_features("C", "alone");
  constant.model = PolynomialGaussian{.form = constant.features.form,
                                      .degrees = {0, 0},
                                      .inputs = {{.centre = 0, .scale = 1, .low = -1, .high = 1}},
                                      .mean = {0.5},
                                      .log_sigma = {0}};
  Curve curve;
  curve.add(1, {{"C", 0.0}, {"E", 1.0}});           // clamped: still a prediction
  curve.add(2, {{"C", 1.0}, {"E", 0.0}});           // no logarithm of E
  curve.add(3, {{"C", std::nan("")}, {"E", 1.0}});  // nothing to predict from
  const HeldOut found = predict_curves(constant, {curve});
  EXPECT_EQ(found.depth, std::vector<int64_t>{1});
  EXPECT_EQ(found.dropped, 2);
}

}  // namespace
}  // namespace roundtrip
