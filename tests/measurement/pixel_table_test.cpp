#include "roundtrip/measurement/pixel_table.h"

#include <cmath>

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "tests/support/ramp_model.h"

namespace roundtrip {
namespace {

constexpr int64_t kDepth = 3;

CurveTable ramp_curves(const std::string& split) {
  return synthetic_table(split, 2, kDepth, [](int64_t, int64_t d) {
    return SyntheticRow{{"C", static_cast<double>(d)}};
  });
}

// The rollout rises by 1.5 a frame all over the frame and the mean of its samples by 1.6, test
// trajectories by 1, calibration ones by 3: errors at depth d are 0.5 d and 0.6 d on the one, 1.5 d
// and 1.4 d on the other. With one sigma a frame the best kappa has a closed form.
TEST(PixelTable, FitsToCalibrationRolloutsAndTalliesTest) {
  const CalibratorSet calibrators =
      quick_calibrators(synthetic_table("calibration", 80, kDepth, following_rule(1)));
  const RampDataset dataset(/*calibration_rise=*/3);
  int64_t done = 0;
  const auto rows =
      pixel_table({.calibration = {&dataset, Split::calibration, ramp_curves("calibration")},
                   .test = {&dataset, Split::test, ramp_curves("test")},
                   .depth = kDepth,
                   .samples = 3},
                  sampled_ramp(), calibrators, [&](int64_t now, int64_t) { done = now; });
  EXPECT_EQ(done, 4);
  ASSERT_EQ(rows.size(), 2 * pixel_objects().size());
  const Curve curve = ramp_curves("test").curves[0];
  double ratio = 0;  // mean of (d / scale)^2
  for (int64_t d = 1; d <= kDepth; ++d) {
    const double log_error =
        calibrators.find({"E", "C", "alone"}).predict(curve, static_cast<size_t>(d - 1)).mean;
    ratio += std::pow(static_cast<double>(d) / std::exp(log_error / 2), 2) / kDepth;
  }
  for (const PixelRow& row : rows) {
    SCOPED_TRACE(row.object);
    EXPECT_EQ(row.field, "height");
    EXPECT_EQ(row.depth, kDepth);
    EXPECT_EQ(row.samples, 3);
    const bool sampled = row.object == "spread" || row.object == "composed";
    const double error = sampled ? 0.6 : 0.5, fitted = sampled ? 1.4 : 1.5;
    if (row.object == "constant") {
      EXPECT_NEAR(row.fit.kappa, fitted * std::sqrt(ratio), 1e-4 * row.fit.kappa);
    }
    // Samples rise by 1.5, 1.6, 1.7 a frame: a deviation of 0.1 sqrt(2/3) d.
    if (row.object == "spread") {
      EXPECT_NEAR(row.fit.kappa, fitted / (0.1 * std::sqrt(2.0 / 3)), 1e-4 * row.fit.kappa);
    }
    // Where all frames of a rollout have one ratio of sigma to error, z^2 is that of the errors.
    EXPECT_NEAR(row.tally.z_square, std::pow(error / fitted, 2), 1e-4);
    double squares = 0, truth = 0;
    for (int64_t d = 1; d <= kDepth; ++d) {
      for (int64_t i = 0; i < 12; ++i) {
        const auto depth = static_cast<double>(d);
        squares += std::pow(error * depth, 2);
        truth += std::pow(static_cast<double>(i + 10 * row.trajectory) + 1 + depth, 2);
      }
    }
    EXPECT_NEAR(row.tally.relative_l2, std::sqrt(squares / truth), 1e-5);
  }
}

// One calibration rollout and one test rollout without C, as when they blew up.
TEST(PixelTable, RolloutsWithoutCFitNothingAndLieOutside) {
  const CalibratorSet calibrators =
      quick_calibrators(synthetic_table("calibration", 80, kDepth, following_rule(1)));
  const RampDataset dataset;
  CurveTable broken = ramp_curves("calibration");
  broken.curves[1].columns["C"].assign(kDepth, std::nan(""));
  const auto rows = pixel_table({.calibration = {&dataset, Split::calibration, broken},
                                 .test = {&dataset, Split::test, broken},
                                 .depth = kDepth,
                                 .samples = 3},
                                sampled_ramp(), calibrators, [](int64_t, int64_t) {});
  for (const PixelRow& row : rows) {
    const bool by_c = row.object == "constant" || row.object == "cycle" || row.object == "composed";
    const bool outside = by_c && row.trajectory == 1;
    EXPECT_EQ(std::isinf(row.tally.z_square), outside) << row.object;
    EXPECT_EQ(row.tally.inside[98] == 0, outside) << row.object;
  }
}

}  // namespace
}  // namespace roundtrip
