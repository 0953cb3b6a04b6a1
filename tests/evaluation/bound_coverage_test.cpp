#include "roundtrip/evaluation/bound_coverage.h"

#include <cmath>

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

TableSection coverage_of(const Measurements& measured) {
  return bound_coverage_table(measured, measured.calibrators.find({"E", "C", "depth"}));
}

Measurements scaled_measurements(double scale) {
  Measurements measured = synthetic_measurements(following_rule);
  for (Curve& curve : measured.test.curves) {
    for (double& e : curve.columns["E"]) e *= scale;
  }
  return measured;
}

TEST(BoundCoverage, IsAllOrNothingFarFromTheBound) {
  const TableSection low = coverage_of(scaled_measurements(0.01));
  const TableSection high = coverage_of(scaled_measurements(100));
  for (const char* row : {"1", "5", "all at once"}) {
    for (size_t i = 1; i < low.columns.size(); ++i) {
      EXPECT_EQ(ours_at(low, row, low.columns[i]), 1);
      EXPECT_EQ(ours_at(high, row, low.columns[i]), 0);
    }
  }
}

TEST(BoundCoverage, IsNearItsLevelWhereTestIsLikeCalibration) {
  const TableSection table = coverage_of(synthetic_measurements(following_rule));
  EXPECT_EQ(table.rows.size(), 6u);
  EXPECT_NEAR(ours_at(table, "3", "conformal, 0.9"), 0.9, 0.2);
  EXPECT_NEAR(ours_at(table, "3", "Gaussian, 0.9"), 0.9, 0.2);
  // Five chances to leave a bound that is meant for one.
  EXPECT_LT(ours_at(table, "all at once", "Gaussian, 0.9"),
            ours_at(table, "all at once", "conformal, 0.9"));
}

TEST(BoundCoverage, ARolloutThatDivergedIsNotBelow) {
  Measurements measured = scaled_measurements(0.01);
  measured.test.curves[0].columns["E"][4] = INFINITY;
  measured.test.curves[1].columns["E"][4] = std::nan("");
  const TableSection table = coverage_of(measured);
  EXPECT_DOUBLE_EQ(ours_at(table, "5", "conformal, 0.95"), 38. / 40);
  EXPECT_DOUBLE_EQ(ours_at(table, "all at once", "Gaussian, 0.95"), 38. / 40);
}

TEST(BoundCoverage, WithoutConformalQuantilesThereIsNone) {
  Measurements measured = scaled_measurements(1);
  for (Calibrator& calibrator : measured.calibrators.calibrators) calibrator.conformal = {};
  EXPECT_EQ(cell_at(coverage_of(measured), "1", "conformal, 0.9").text, "-");
}

}  // namespace
}  // namespace roundtrip
