#include "roundtrip/evaluation/scored_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

const CalibratorKey kFromC = {"E", "C", "depth"};

TEST(ScoredFit, HasTheScoresOfItsPredictions) {
  const Measurements measured = synthetic_measurements(following_rule);
  const auto fit = score_on_test(measured, kFromC);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->predictions.size(), 200u);
  EXPECT_EQ(*fit->at("nll").value, fit->scores.gaussian.nll);
  EXPECT_NEAR(*fit->at("rmse").value, deviation_given_c(), 0.015);  // three standard errors
  EXPECT_LT(fit->at("rmse").interval->low, *fit->at("rmse").value);
  EXPECT_GT(fit->at("rmse").interval->high, *fit->at("rmse").value);
}

TEST(ScoredFit, IsNotThereWithoutCalibratorOrColumns) {
  Measurements measured = synthetic_measurements(following_rule, 3);
  EXPECT_FALSE(score_on_test(measured, {"E", "fbf", "alone"}));
  measured.test = synthetic_table("test", 3, 5, exact_rule(2));
  EXPECT_TRUE(score_on_test(measured, kFromC));
  EXPECT_FALSE(score_on_test(measured, {"E", "spread_seed", "alone"}));
  EXPECT_FALSE(best_baseline_on_test(measured, "E"));
}

TEST(ScoredFit, GainsAreOverAnotherFit) {
  const Measurements measured = synthetic_measurements(following_rule);
  const auto fit = score_on_test(measured, kFromC);
  const auto baseline = best_baseline_on_test(measured, "E");
  ASSERT_TRUE(baseline);
  EXPECT_EQ(baseline->calibrator->key.signal, "seed_step");
  const TableCell cell = gain_cell(*fit, baseline);
  EXPECT_NEAR(*cell.ours, baseline->scores.gaussian.nll - fit->scores.gaussian.nll, 1e-12);
  EXPECT_EQ(gain_cell(*fit, fit).text, "-");
  EXPECT_EQ(gain_cell(*fit, std::nullopt).text, "-");
}

TEST(ScoredFit, TheVerdictNamesDepthsWhereThePrintedBandFails) {
  Measurements measured = synthetic_measurements(following_rule);
  EXPECT_THAT(verdict_on_test(measured).value(),
              EndsWith("It beats the depth alone and every baseline of the seed frames. The "
                       "printed 95 % band holds its share of errors at all 5 depths."));
  for (Curve& curve : measured.test.curves) curve.columns["E"][2] *= 3;
  EXPECT_THAT(verdict_on_test(measured).value(),
              EndsWith("The printed 95 % band holds too few errors at depths 3 (0 %) of 5."));
  for (Calibrator& calibrator : measured.calibrators.calibrators) calibrator.conformal = {};
  EXPECT_THAT(verdict_on_test(measured).value(), Not(HasSubstr("band")));
}

}  // namespace
}  // namespace roundtrip
