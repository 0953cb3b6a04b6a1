#include "roundtrip/study/bound_coverage.h"

#include <cmath>

#include <gtest/gtest.h>

#include "study/synthetic.h"

namespace roundtrip {
namespace {

TableSection coverage_of(const Evidence& evidence) {
  return bound_coverage_table(evidence, evidence.calibrators.find({"E", "C", "depth"}));
}

Evidence scaled_evidence(double scale) {
  Evidence evidence = synthetic_evidence(following_rule);
  for (Curve& curve : evidence.test.curves) {
    for (double& e : curve.columns["E"]) e *= scale;
  }
  return evidence;
}

TEST(BoundCoverage, IsAllOrNothingFarFromTheBound) {
  const TableSection low = coverage_of(scaled_evidence(0.01));
  const TableSection high = coverage_of(scaled_evidence(100));
  for (const char* row : {"1", "5", "all at once"}) {
    for (size_t i = 1; i < low.columns.size(); ++i) {
      EXPECT_EQ(ours_at(low, row, low.columns[i]), 1);
      EXPECT_EQ(ours_at(high, row, low.columns[i]), 0);
    }
  }
}

TEST(BoundCoverage, IsNearItsLevelWhereTestIsLikeCalibration) {
  const TableSection table = coverage_of(synthetic_evidence(following_rule));
  EXPECT_EQ(table.rows.size(), 6u);
  EXPECT_NEAR(ours_at(table, "3", "conformal, 0.9"), 0.9, 0.2);
  EXPECT_NEAR(ours_at(table, "3", "Gaussian, 0.9"), 0.9, 0.2);
  // Five chances to leave a bound that is meant for one.
  EXPECT_LT(ours_at(table, "all at once", "Gaussian, 0.9"),
            ours_at(table, "all at once", "conformal, 0.9"));
}

TEST(BoundCoverage, ARolloutThatDivergedIsNotBelow) {
  Evidence evidence = scaled_evidence(0.01);
  evidence.test.curves[0].columns["E"][4] = INFINITY;
  evidence.test.curves[1].columns["E"][4] = std::nan("");
  const TableSection table = coverage_of(evidence);
  EXPECT_DOUBLE_EQ(ours_at(table, "5", "conformal, 0.95"), 38. / 40);
  EXPECT_DOUBLE_EQ(ours_at(table, "all at once", "Gaussian, 0.95"), 38. / 40);
}

TEST(BoundCoverage, WithoutConformalQuantilesThereIsNone) {
  Evidence evidence = scaled_evidence(1);
  for (Calibrator& calibrator : evidence.calibrators.calibrators) calibrator.conformal = {};
  EXPECT_EQ(cell_at(coverage_of(evidence), "1", "conformal, 0.9").text, "-");
}

}  // namespace
}  // namespace roundtrip
