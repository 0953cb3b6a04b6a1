#include "roundtrip/metrics/gaussian_scores.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"
#include "metrics/sample.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// tests/reference/statistics.py: SciPy's density, CRPS by numerical integration
TEST(GaussianScores, AgreeWithScipy) {
  const GaussianScores scores = gaussian_scores(SamplePredictions(500));
  EXPECT_EQ(scores.n, 500);
  EXPECT_NEAR(scores.nll, 0.2998710550951179, 1e-13);
  EXPECT_NEAR(scores.rmse, 0.3052239688754786, 1e-13);
  EXPECT_NEAR(scores.x68, 1.250643114415731, 1e-13);
  EXPECT_NEAR(scores.x95, 2.079991459467387, 1e-13);
  EXPECT_DOUBLE_EQ(scores.cov68, 0.708);
  EXPECT_DOUBLE_EQ(scores.cov95, 0.884);
  EXPECT_NEAR(scores.crps, 0.1657898096962807, 1e-10);
  EXPECT_NEAR(scores.sharpness, 0.2799253638103624, 1e-13);
}

// A constant sigma equal to the RMSE has NLL = log RMSE + log(2 pi)/2 + 1/2; the paper's Table 3.
TEST(GaussianScores, ConstantPredictionsOfThePaper) {
  for (const auto& [rmse, nll] : {std::pair(1.02, 1.44), std::pair(0.13, -0.62)}) {
    const std::vector<double> y = {rmse, -rmse}, mean = {0, 0}, sigma = {rmse, rmse};
    const GaussianScores scores = gaussian_scores({y, mean, sigma});
    EXPECT_NEAR(scores.nll, nll, 0.005);
    EXPECT_DOUBLE_EQ(scores.rmse, rmse);
    EXPECT_DOUBLE_EQ(scores.x68, std::exp(rmse));
  }
  EXPECT_NEAR(std::exp(0.13), 1.14, 0.005);  // x68 of mu(C): a factor of 1.14 is 0.13 in the log
}

TEST(GaussianScores, ClosedFormsAtTheMean) {
  // y = mean: the density's height, and CRPS = sigma (sqrt 2 - 1) / sqrt pi.
  const double sigma = 0.7;
  EXPECT_DOUBLE_EQ(gaussian_nll(3, 3, sigma),
                   std::log(sigma) + 0.5 * std::log(2 * std::numbers::pi));
  EXPECT_NEAR(gaussian_crps(3, 3, sigma),
              sigma * (std::numbers::sqrt2 - 1) * std::numbers::inv_sqrtpi, 1e-15);
  // Far away the CRPS is the distance less sigma / sqrt pi.
  EXPECT_NEAR(gaussian_crps(100, 0, 1), 100 - std::numbers::inv_sqrtpi, 1e-12);
  // Also where z overflows.
  EXPECT_DOUBLE_EQ(gaussian_crps(1e10, 0, 1e-300), 1e10);
}

TEST(GaussianScores, CalibratedDrawsScoreAsTheyShould) {
  constexpr size_t kRows = 100000;
  const RandomStream random(1, "gaussian_scores_test");
  std::vector<double> y(kRows), mean(kRows), sigma(kRows);
  for (size_t i = 0; i < kRows; ++i) {
    sigma[i] = random.uniform(2 * kRows + i, 0.5, 1.5);
    mean[i] = random.uniform(3 * kRows + i, -1, 1);
    y[i] = mean[i] + sigma[i] * random.normal(i);
  }
  const GaussianScores scores = gaussian_scores({y, mean, sigma});
  EXPECT_NEAR(scores.cov68, 0.6827, 0.006);  // four deviations
  EXPECT_NEAR(scores.cov95, 0.9545, 0.003);
  EXPECT_NEAR(scores.rmse, scores.sharpness, 0.02);
  const ZDiagnostics z = z_diagnostics(z_scores({y, mean, sigma}));
  EXPECT_NEAR(z.within_one, 0.6827, 0.006);
  EXPECT_NEAR(*z.kurtosis, 3, 0.07);  // deviation sqrt(24 / n) = 0.016
}

TEST(GaussianScores, OrderOfRowsDoesNotMatter) {
  SamplePredictions sample(500);
  const GaussianScores before = gaussian_scores(sample);
  for (auto* column : {&sample.y, &sample.mean, &sample.sigma}) {
    std::rotate(column->begin(), column->begin() + 123, column->end());
  }
  const GaussianScores after = gaussian_scores(sample);
  EXPECT_NEAR(after.nll, before.nll, 1e-13);
  EXPECT_NEAR(after.crps, before.crps, 1e-13);
  EXPECT_EQ(after.x95, before.x95);
  EXPECT_EQ(after.cov68, before.cov68);
}

TEST(GaussianScores, TooLargeForADoubleIsInfinite) {
  const std::vector<double> y = {1e200}, mean = {0}, sigma = {1};
  const GaussianScores scores = gaussian_scores({y, mean, sigma});
  EXPECT_EQ(scores.nll, std::numeric_limits<double>::infinity());
  EXPECT_EQ(scores.rmse, std::numeric_limits<double>::infinity());
  EXPECT_EQ(scores.x68, std::numeric_limits<double>::infinity());
  EXPECT_EQ(scores.crps, 1e200);
  EXPECT_EQ(scores.cov95, 0);
}

TEST(ZDiagnostics, KurtosisRawAndExcess) {
  // tests/reference/statistics.py, by scipy.stats.kurtosis
  const ZDiagnostics sample = z_diagnostics(z_scores(SamplePredictions(500)));
  EXPECT_NEAR(*sample.kurtosis, 4.915785241308148, 1e-12);
  EXPECT_NEAR(*sample.excess, 1.915785241308148, 1e-12);
  // Two values as often as each other have the least kurtosis there is, also when they are huge.
  EXPECT_NEAR(*z_diagnostics(std::vector<double>{-1e200, 1e200}).kurtosis, 1, 1e-15);
}

TEST(ZDiagnostics, DegenerateValuesHaveAStatedResult) {
  const ZDiagnostics constant = z_diagnostics(std::vector<double>(5, 0.1));
  EXPECT_EQ(constant.within_one, 1);
  EXPECT_FALSE(constant.kurtosis.has_value());
  EXPECT_FALSE(constant.excess.has_value());
  EXPECT_EQ(z_diagnostics(std::vector<double>{1}).within_one, 0);  // strictly inside
  EXPECT_NE(error_of([] { z_diagnostics({}); }), "no error");
  EXPECT_NE(error_of([] { z_diagnostics(std::vector<double>{NAN}); }), "no error");
}

}  // namespace
}  // namespace roundtrip
