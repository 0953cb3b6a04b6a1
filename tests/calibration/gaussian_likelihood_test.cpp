#include "roundtrip/calibration/gaussian_likelihood.h"

#include <cmath>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

// Columns 1, x, x^2, ... by a formula, so that a test's numbers depend on nothing else.
GaussianDesign wavy_design(Eigen::Index n, Eigen::Index mean, Eigen::Index log_sigma) {
  GaussianDesign design{.mean = Eigen::MatrixXd(n, mean),
                        .log_sigma = Eigen::MatrixXd(n, log_sigma),
                        .y = Eigen::VectorXd(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const double x = std::sin(0.7 * static_cast<double>(i));
    for (Eigen::Index k = 0; k < mean; ++k) design.mean(i, k) = std::pow(x, k);
    for (Eigen::Index k = 0; k < log_sigma; ++k) design.log_sigma(i, k) = std::pow(x, k);
    design.y[i] = 0.3 + x - x * x + 0.4 * std::sin(2.3 * static_cast<double>(i * i));
  }
  return design;
}

TEST(GaussianLikelihood, DerivativesAreThoseOfCentralDifferences) {
  const GaussianDesign design = wavy_design(300, 4, 3);
  const DesignSize size = {4, 3};
  Eigen::VectorXd theta(7);
  theta << 0.2, 0.8, -0.6, 0.1, -0.9, 0.2, -0.1;
  const Likelihood at = likelihood_at(design, size, theta);
  // Truncation h^2 f''' / 6 and rounding 1e-16 f / h are both below 1e-7 of sums of 300 terms.
  const double step = 1e-5;
  for (Eigen::Index i = 0; i < theta.size(); ++i) {
    Eigen::VectorXd above = theta, below = theta;
    above[i] += step;
    below[i] -= step;
    const Likelihood high = likelihood_at(design, size, above);
    const Likelihood low = likelihood_at(design, size, below);
    EXPECT_NEAR(at.gradient[i], (high.value - low.value) / (2 * step), 1e-5);
    for (Eigen::Index j = 0; j < theta.size(); ++j) {
      EXPECT_NEAR(at.hessian(i, j), (high.gradient[j] - low.gradient[j]) / (2 * step), 1e-5);
    }
  }
}

TEST(GaussianLikelihood, AConstantIsMeanAndDeviation) {
  const GaussianDesign design = wavy_design(200, 1, 1);
  const LikelihoodFit fit =
      minimise_likelihood(design, {1, 1}, least_squares_start(design, {1, 1}));
  const double mean = design.y.mean();
  const double variance = (design.y.array() - mean).square().mean();
  EXPECT_TRUE(fit.converged);
  EXPECT_NEAR(fit.coefficients[0], mean, 1e-12);
  EXPECT_NEAR(fit.coefficients[1], 0.5 * std::log(variance + kSigmaFloor * kSigmaFloor), 1e-12);
}

TEST(GaussianLikelihood, FindsTheSameOptimumFromElsewhere) {
  const GaussianDesign design = wavy_design(400, 5, 4);
  const DesignSize size = {5, 4};
  const LikelihoodFit fit = minimise_likelihood(design, size, least_squares_start(design, size));
  Eigen::VectorXd start = Eigen::VectorXd::Zero(9);
  start[5] = 1.5;  // sigma far too large
  const LikelihoodFit other = minimise_likelihood(design, size, start);
  ASSERT_TRUE(fit.converged && other.converged);
  EXPECT_LT((fit.coefficients - other.coefficients).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LT(likelihood_at(design, size, fit.coefficients).gradient.lpNorm<Eigen::Infinity>(), 1e-7);
}

TEST(GaussianLikelihood, APerfectFitEndsAtTheFloor) {
  GaussianDesign design = wavy_design(50, 2, 2);
  design.y = 2 * design.mean.col(1);
  const LikelihoodFit fit =
      minimise_likelihood(design, {2, 2}, least_squares_start(design, {2, 2}));
  EXPECT_TRUE(fit.converged);
  EXPECT_NEAR(fit.coefficients[1], 2, 1e-6);
  EXPECT_NEAR(fit.coefficients[2], std::log(kSigmaFloor), 1e-3);
}

TEST(GaussianLikelihood, ColumnsThatSayTheSameDoNotStopIt) {
  GaussianDesign design = wavy_design(100, 3, 2);
  design.mean.col(2) = design.mean.col(1);
  design.log_sigma.col(1).setZero();
  const LikelihoodFit fit =
      minimise_likelihood(design, {3, 2}, least_squares_start(design, {3, 2}));
  EXPECT_TRUE(fit.coefficients.allFinite());
  // The ridge shares the slope between equals and leaves a column of zeros at zero.
  EXPECT_NEAR(fit.coefficients[1], fit.coefficients[2], 1e-4);
  EXPECT_NEAR(fit.coefficients[4], 0, 1e-12);
}

}  // namespace
}  // namespace roundtrip
