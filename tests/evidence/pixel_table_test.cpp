#include "roundtrip/evidence/pixel_table.h"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "evidence/ramp_model.h"
#include "roundtrip/calibration/pixel_tally.h"
#include "study/synthetic.h"

namespace roundtrip {
namespace {

constexpr int64_t kDepth = 3;

CurveTable ramp_curves(const std::string& split) {
  return synthetic_table(split, 2, kDepth, [](int64_t, int64_t d) {
    return SyntheticRow{{"C", static_cast<double>(d)}};
  });
}

// The rollout is 0.5 d too high at depth d, all over the frame, so the best kappa of an object with
// one sigma a frame has a closed form, and with it the deviations of the test rollouts.
TEST(PixelTable, FitsToCalibrationRolloutsAndTalliesTest) {
  const auto path = std::filesystem::path(testing::TempDir()) / "pixel_table.csv";
  const CalibratorSet calibrators =
      quick_calibrators(synthetic_table("calibration", 80, kDepth, following_rule(1)));
  const RampDataset dataset;
  int64_t done = 0;
  write_pixel_table(path,
                    {.calibration = {&dataset, Split::calibration, ramp_curves("calibration")},
                     .test = {&dataset, Split::test, ramp_curves("test")},
                     .depth = kDepth,
                     .samples = 3},
                    sampled_ramp(), calibrators, [&](int64_t now, int64_t) { done = now; });
  EXPECT_EQ(done, 4);
  const auto rows = pixel_rows_from(read_csv(path));
  ASSERT_EQ(rows.size(), 2 * pixel_objects().size());
  const Curve curve = ramp_curves("test").curves[0];
  double ratio = 0;
  for (int64_t d = 1; d <= kDepth; ++d) {
    const double log_error =
        calibrators.find({"E", "C", "alone"}).predict(curve, static_cast<size_t>(d - 1)).mean;
    ratio += std::pow(0.5 * static_cast<double>(d) / std::exp(log_error / 2), 2) / kDepth;
  }
  for (const PixelRow& row : rows) {
    EXPECT_EQ(row.field, "height");
    // What fitted is what is tested here: z^2 is 1 in the mean for the closed-form scales.
    EXPECT_NEAR(row.tally.z_square, 1, 1e-5) << row.object;
    if (row.object == "constant") {
      EXPECT_NEAR(row.fit.kappa, std::sqrt(ratio), 1e-5);
    }
    const bool sampled = row.object == "spread" || row.object == "composed";
    // The ramp's values around 1 + d: the mean of three samples is 0.6 d off, a rollout 0.5 d.
    double error = 0, truth = 0;
    for (int64_t d = 1; d <= kDepth; ++d) {
      for (int64_t i = 0; i < 12; ++i) {
        const auto depth = static_cast<double>(d);
        error += std::pow((sampled ? 0.6 : 0.5) * depth, 2);
        truth += std::pow(static_cast<double>(i + 10 * row.trajectory) + 1 + depth, 2);
      }
    }
    EXPECT_NEAR(row.tally.relative_l2, std::sqrt(error / truth), 1e-5) << row.object;
  }
}

}  // namespace
}  // namespace roundtrip
