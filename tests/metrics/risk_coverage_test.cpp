#include "roundtrip/metrics/risk_coverage.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "metrics/sample.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// tests/reference/statistics.py, by NumPy
TEST(RiskCoverage, AgreesWithNumpy) {
  const auto error = exponentials(wave(80, 0.4));
  const RiskCoverage curve = risk_coverage(exponentials(wave(80, 0.7)), error);
  EXPECT_NEAR(curve.aurc, 0.6668749833409935, 1e-13);
  EXPECT_NEAR(curve.oracle_aurc, 0.6474873850118401, 1e-13);
  EXPECT_NEAR(*reduction_at(curve, 0.7), 0.3659552643401375, 1e-13);
  EXPECT_NEAR(*reduction_at(curve, 1), 0, 1e-15);
}

TEST(RiskCoverage, ClosedForm) {
  // Errors 1, 2, 3, 4 in the right order: prefix means 1, 1.5, 2, 2.5.
  const std::vector<double> error = {3, 1, 4, 2};
  const RiskCoverage curve = risk_coverage(error, error);
  EXPECT_EQ(curve.risk, (std::vector<double>{1, 1.5, 2, 2.5}));
  EXPECT_DOUBLE_EQ(curve.aurc, 1.75);
  EXPECT_DOUBLE_EQ(curve.oracle_aurc, 1.75);
  EXPECT_DOUBLE_EQ(*reduction_at(curve, 0.5), 1 - 1.5 / 2.5);
  EXPECT_DOUBLE_EQ(*reduction_at(curve, 0.01), 1 - 1 / 2.5);  // at least one row is kept
}

TEST(RiskCoverage, TiesCountWithTheirMeanWhateverTheOrder) {
  // A prediction that is the same for all sets nothing aside: its risk is flat.
  const auto error = exponentials(wave(20, 0.4));
  const RiskCoverage flat = risk_coverage(std::vector<double>(20, 7), error);
  EXPECT_NEAR(*reduction_at(flat, 0.5), 0, 1e-14);
  EXPECT_NEAR(flat.aurc, flat.mean_error, 1e-14);
  // Ranked by depth, four rows each: the order of rows within a depth does not matter.
  std::vector<double> depth, reversed_error = error;
  for (int i = 0; i < 20; ++i) depth.push_back(i / 4);
  for (int d = 0; d < 5; ++d) {
    std::reverse(reversed_error.begin() + 4 * d, reversed_error.begin() + 4 * d + 4);
  }
  EXPECT_NEAR(risk_coverage(depth, error).aurc, risk_coverage(depth, reversed_error).aurc, 1e-14);
}

TEST(RiskCoverage, SeesOnlyTheOrderAndNoRankingBeatsTheOracle) {
  const auto error = exponentials(wave(80, 0.4));
  const auto predicted = wave(80, 0.7);
  const RiskCoverage curve = risk_coverage(predicted, error);
  EXPECT_EQ(risk_coverage(exponentials(predicted), error).aurc, curve.aurc);
  for (const double phase : {0.0, 1.0, 2.0, 3.0}) {
    EXPECT_GE(risk_coverage(wave(80, phase), error).aurc, curve.oracle_aurc);
  }
}

TEST(RiskCoverage, DegenerateErrorsHaveAStatedResult) {
  const std::vector<double> zeros(3, 0.0);
  EXPECT_EQ(reduction_at(risk_coverage(wave(3, 0), zeros), 0.5), std::nullopt);
  EXPECT_NE(error_of([] { risk_coverage({}, {}); }), "no error");
  EXPECT_NE(error_of([] { risk_coverage(std::vector<double>{NAN}, std::vector<double>{1}); }),
            "no error");
  EXPECT_NE(error_of([] { risk_coverage(std::vector<double>{1}, std::vector<double>{NAN}); }),
            "no error");
  for (const double wrong : {0.0, -0.5, 1.5}) {
    EXPECT_NE(error_of([&] { reduction_at(risk_coverage(zeros, zeros), wrong); }), "no error");
  }
}

}  // namespace
}  // namespace roundtrip
