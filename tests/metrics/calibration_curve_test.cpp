#include "roundtrip/metrics/calibration_curve.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"
#include "roundtrip/metrics/normal.h"
#include "metrics/sample.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// tests/reference/statistics.py: uncertainty-toolbox's definition by scipy.stats.norm.interval and
// polygon areas
TEST(CalibrationCurve, AgreesWithTheDefinition) {
  const CalibrationCurve curve = calibration_curve(SamplePredictions(500));
  EXPECT_NEAR(curve.errors.ma, 0.1108732356679378, 1e-13);
  EXPECT_NEAR(curve.errors.mace, 0.1097709090909091, 1e-13);
  EXPECT_NEAR(curve.errors.rmsce, 0.1264497004109014, 1e-13);
  EXPECT_DOUBLE_EQ(curve.observed[33], 0.494);
  EXPECT_EQ(curve.nominal.size(), 100u);
  EXPECT_EQ(curve.nominal.back(), 1);
  EXPECT_EQ(curve.observed.back(), 1);
}

// With too wide a sigma the observed curve lies above at every level, and only the mean over levels
// differs from the trapezoid: 99 steps against 100 points whose ends are zero.
TEST(CalibrationCurve, MaceIsNinetyNineHundredthsOfAreaWithoutCrossing) {
  std::vector<double> z;
  for (int k = 0; k < 20000; ++k) z.push_back(0.5 * normal_quantile((k + 0.5) / 20000));
  const CalibrationErrors errors = calibration_curve(z).errors;
  EXPECT_GT(errors.ma, 0.1);
  EXPECT_NEAR(errors.mace / errors.ma, 0.99, 1e-12);
  // What LE-PDE-UQ's notebook printed of four models has this ratio too.
  for (const auto& [ma, mace] :
       {std::pair(0.01014223, 0.01004082), std::pair(0.10476842, 0.10372074),
        std::pair(0.22834130, 0.22605790), std::pair(0.32805, 0.32477)}) {
    EXPECT_NEAR(mace / ma, 0.99, 2e-5);
  }
}

// A sigma far too wide holds all rows at every level but 0, a gap of 1 - p; one far too narrow
// holds none but at the last, a gap of p. Either way the 98 gaps k/99 sum to 49.
TEST(CalibrationCurve, EndsInClosedForm) {
  const std::vector<double> wide(10, 1e-9), narrow(10, std::numeric_limits<double>::infinity());
  for (const auto& z : {wide, narrow}) {
    const CalibrationErrors errors = calibration_curve(z).errors;
    EXPECT_NEAR(errors.mace, 49.0 / 100, 1e-13);
    EXPECT_NEAR(errors.ma, 49.0 / 99, 1e-13);
  }
}

TEST(CalibrationCurve, AreaOfCrossingLinesIsThatOfTwoTriangles) {
  // Gap 0.3 falls to -0.1 over a step of 0.5: zero after 3/4 of it.
  const std::vector<double> nominal = {0, 0.5}, observed = {0.3, 0.4};
  EXPECT_NEAR(calibration_errors(nominal, observed).ma, 0.5 * 0.3 * 0.375 + 0.5 * 0.1 * 0.125,
              1e-15);
}

TEST(CalibrationCurve, ExactPredictionsCountAtLevelZero) {
  const CalibrationCurve curve = calibration_curve(std::vector<double>(4, 0.0));
  EXPECT_EQ(curve.observed.front(), 1);
  EXPECT_NEAR(curve.errors.ma, 0.5, 1e-15);
  EXPECT_NEAR(curve.errors.mace, 0.5, 1e-15);
}

TEST(CalibrationCurve, CalibratedDrawsLieOnTheDiagonal) {
  std::vector<double> z(100000);
  RandomStream(2, "calibration_curve_test").fill_normal(z);
  const CalibrationErrors errors = calibration_curve(z).errors;
  EXPECT_LT(errors.ma, 0.003);  // the largest gap of 1e5 draws is about 0.003
  EXPECT_LE(errors.mace, errors.rmsce);
}

TEST(CalibrationCurve, OrderAndSignDoNotMatter) {
  std::vector<double> z = z_scores(SamplePredictions(300));
  const CalibrationErrors before = calibration_curve(z).errors;
  std::reverse(z.begin(), z.end());
  for (double& value : z) value = -value;
  const CalibrationErrors after = calibration_curve(z).errors;
  EXPECT_EQ(after.ma, before.ma);
  EXPECT_EQ(after.rmsce, before.rmsce);
}

TEST(CalibrationCurve, RefusesWhatHasNone) {
  EXPECT_NE(error_of([] { calibration_curve(std::span<const double>{}); }), "no error");
  EXPECT_NE(error_of([] { calibration_curve(std::vector<double>{NAN}); }), "no error");
  EXPECT_NE(error_of([] { calibration_curve(std::vector<double>{0}, /*levels=*/1); }), "no error");
}

}  // namespace
}  // namespace roundtrip
