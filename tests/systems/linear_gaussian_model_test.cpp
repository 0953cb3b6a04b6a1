#include "roundtrip/systems/linear_gaussian_model.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "roundtrip/base/error.h"
#include "tests/support/dense.h"

namespace roundtrip {
namespace {

using Eigen::MatrixXd;
using Values = std::vector<std::complex<double>>;

constexpr LinearGaussianSpectrum kNormal = {};
constexpr LinearGaussianSpectrum kNonNormal = {
    .slowest = 0.95, .fastest = 0.3, .rotation = 1.2, .non_normality = 0.4, .matrix_seed = 5};

double relative(const MatrixXd& difference, const MatrixXd& scale) {
  return difference.norm() / scale.norm();
}

// Both members of each pair, in a fixed order.
Values all_of(const Values& upper_half, int64_t dimension) {
  Values values;
  for (const auto& value : upper_half) {
    values.push_back(value);
    if (static_cast<int64_t>(values.size()) < dimension) values.push_back(std::conj(value));
  }
  return values;
}

double distance_between(Values a, const Values& b) {
  double worst = 0;
  for (const auto& value : b) {
    const auto nearest = std::min_element(a.begin(), a.end(), [&](const auto& x, const auto& y) {
      return std::abs(x - value) < std::abs(y - value);
    });
    worst = std::max(worst, std::abs(*nearest - value));
    a.erase(nearest);
  }
  return worst;
}

// Round-off of the Schur form in a random basis is some 1e-15 for a normal A; eigenvalues of a
// non-normal one are worse conditioned, by some 1e4 here.
TEST(LinearGaussianModel, SpectrumIsAsAsked) {
  for (const int64_t dimension : {1, 2, 9, 64}) {
    for (const auto& [spectrum, bound] :
         {std::pair(kNormal, 1e-13), std::pair(kNonNormal, 1e-10)}) {
      const LinearGaussianModel model = make_linear_gaussian_model(dimension, spectrum);
      const Eigen::VectorXcd found = eigenvalues(model.forward_map());
      const Values asked = all_of(eigenvalues_of(dimension, spectrum), dimension);
      EXPECT_LT(distance_between({found.begin(), found.end()}, asked), bound) << dimension;
    }
  }
  const Values values = eigenvalues_of(64, kNormal);
  ASSERT_EQ(values.size(), 32U);
  EXPECT_DOUBLE_EQ(std::abs(values.front()), kNormal.slowest);
  EXPECT_DOUBLE_EQ(std::abs(values.back()), kNormal.fastest);
  EXPECT_DOUBLE_EQ(std::arg(values.back()), kNormal.rotation);
}

TEST(LinearGaussianModel, NormalMapHasUnitCovarianceAndTransposeAsBackwardMap) {
  const int64_t d = 64;
  const LinearGaussianModel model = make_linear_gaussian_model(d, kNormal);
  const MatrixXd identity = MatrixXd::Identity(d, d);
  const MatrixXd& a = model.forward_map();
  // Norms over the d entries of a diagonal: 1e-13 is some 50 units of round-off each.
  EXPECT_LT((times(a, a.transpose()) - times(a.transpose(), a)).norm(), 1e-13);
  EXPECT_LT((model.covariance() - identity).norm(), 1e-12);
  EXPECT_LT((model.backward_map() - a.transpose()).norm(), 1e-12);
  EXPECT_LT((model.backward_noise() - (identity - times(a.transpose(), a))).norm(), 1e-12);
  EXPECT_GT((a - a.transpose()).norm(), 1.0);  // or forward and backward would be the same
}

TEST(LinearGaussianModel, NonNormalMapDepartsByTheFactorAsked) {
  const int64_t d = 64;
  const LinearGaussianModel model = make_linear_gaussian_model(d, kNonNormal);
  double squares = 0;
  for (const auto& value : all_of(eigenvalues_of(d, kNonNormal), d)) squares += std::norm(value);
  const double departure = std::sqrt(model.forward_map().squaredNorm() - squares);
  EXPECT_NEAR(departure / std::sqrt(squares), kNonNormal.non_normality, 1e-12);
  EXPECT_GT((model.covariance() - MatrixXd::Identity(d, d)).norm(), 0.5);
}

TEST(LinearGaussianModel, SolvesTheLyapunovEquationInBothDirections) {
  for (const int64_t d : {1, 9, 64, 256}) {
    for (const LinearGaussianSpectrum& spectrum : {kNormal, kNonNormal}) {
      const LinearGaussianModel model = make_linear_gaussian_model(d, spectrum);
      const MatrixXd& sigma = model.covariance();
      const MatrixXd& a = model.forward_map();
      const MatrixXd& b = model.backward_map();
      EXPECT_LT(relative(congruent(a, sigma) + model.forward_noise() - sigma, sigma), 1e-12);
      EXPECT_LT(relative(congruent(b, sigma) + model.backward_noise() - sigma, sigma), 1e-12);
      EXPECT_EQ(sigma, sigma.transpose());
      // The lagged covariance is the same seen from either end: A Sigma = (A_- Sigma)^T.
      EXPECT_LT(relative(times(a, sigma) - times(b, sigma).transpose(), sigma), 1e-12);
      EXPECT_LT(relative(model.backward_noise() - (sigma - times(times(b, a), sigma)), sigma),
                1e-12);
    }
  }
}

// By hand: A = [1/2 1; 0 1/2], Q = I. From Sigma = A Sigma A^T + I: s22 = 4/3,
// s12 = (s12/4 + s22/2) = 8/9, s11 = (s11/4 + s12 + s22 + 1) = 116/27.
TEST(LinearGaussianModel, MatchesASolutionByHand) {
  MatrixXd a(2, 2);
  a << 0.5, 1, 0, 0.5;
  const LinearGaussianModel model(a, MatrixXd::Identity(2, 2));
  MatrixXd sigma(2, 2);
  sigma << 116.0 / 27, 8.0 / 9, 8.0 / 9, 4.0 / 3;
  EXPECT_LT((model.covariance() - sigma).norm(), 1e-14);
  EXPECT_LT((model.backward_map() - times(times(sigma, a.transpose()), inverse(sigma))).norm(),
            1e-13);
  EXPECT_NEAR(model.forward_error(), 1.0, 1e-14);
  // Two steps: Q + A Q A^T = [2.25 0.5; 0.5 1.25].
  EXPECT_NEAR(model.forward_error(2), (2.25 + 1.25) / 2, 1e-14);
  EXPECT_NEAR(model.forward_error(200), sigma.trace() / 2, 1e-13);
}

// det(Sigma - A Sigma A^T) = det(Sigma) det(I - ...) is the same in both directions, whatever A.
TEST(LinearGaussianModel, BothDirectionsLoseTheSameInformation) {
  const LinearGaussianModel model = make_linear_gaussian_model(9, kNonNormal);
  const double forward = determinant(model.forward_noise());
  EXPECT_NEAR(determinant(model.backward_noise()) / forward, 1.0, 1e-10);
  EXPECT_NEAR(model.forward_error(), model.forward_noise().trace() / 9, 1e-13);
  EXPECT_NEAR(model.backward_error(), model.backward_noise().trace() / 9, 1e-13);
  EXPECT_GT(std::abs(model.backward_error() - model.forward_error()), 1e-3);
}

TEST(LinearGaussianModel, SeedPicksTheMatrix) {
  LinearGaussianSpectrum other = kNonNormal;
  other.matrix_seed = 6;
  const MatrixXd a = make_linear_gaussian_model(9, kNonNormal).forward_map();
  EXPECT_EQ(a, make_linear_gaussian_model(9, kNonNormal).forward_map());
  EXPECT_GT((a - make_linear_gaussian_model(9, other).forward_map()).norm(), 0.1);
}

TEST(LinearGaussianModel, AMapWithoutStationaryLawIsAnError) {
  EXPECT_THROW(solve_lyapunov(1.01 * MatrixXd::Identity(2, 2), MatrixXd::Identity(2, 2)), Error);
  EXPECT_THROW(solve_lyapunov(MatrixXd::Identity(2, 2), MatrixXd::Identity(2, 2)), Error);
  // Stable, but so far from normal that noise is amplified beyond what doubles resolve.
  LinearGaussianSpectrum extreme = kNonNormal;
  extreme.slowest = 0.9999;
  extreme.fastest = 0.9;
  extreme.non_normality = 1;
  EXPECT_THROW(make_linear_gaussian_model(64, extreme), Error);
}

}  // namespace
}  // namespace roundtrip
