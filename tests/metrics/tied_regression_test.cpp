#include "roundtrip/metrics/tied_regression.h"

#include <cmath>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"
#include "tests/support/dense.h"

namespace roundtrip {
namespace {

using Eigen::MatrixXd;

constexpr int64_t kDimension = 6;
constexpr double kNoise = 0.3;

MatrixXd normal_matrix(int64_t rows, int64_t columns, std::string_view purpose, uint64_t index) {
  MatrixXd matrix(rows, columns);
  RandomStream(5, purpose, index).fill_normal({matrix.data(), static_cast<size_t>(matrix.size())});
  return matrix;
}

// Some map, not symmetric.
MatrixXd true_map() { return normal_matrix(kDimension, kDimension, "map", 0) / 4; }

// Unit inputs and white noise.
VectorPairs pairs_of(const MatrixXd& map, int64_t count, std::string_view purpose, uint64_t index,
                     double noise = kNoise) {
  const MatrixXd from = normal_matrix(kDimension, count, purpose, 2 * index);
  return {from,
          times(map, from) + noise * normal_matrix(kDimension, count, purpose, 2 * index + 1)};
}

struct Risks {
  double specialist = 0;  // of the forward map from forward pairs alone
  double tied = 0;
};

// Mean squared errors of both estimates over repeats, from m pairs a direction.
Risks risks(int64_t m, int64_t repeats) {
  const MatrixXd map = true_map();
  Risks sum;
  for (int64_t i = 0; i < repeats; ++i) {
    const auto index = static_cast<uint64_t>(i);
    const VectorPairs forward = pairs_of(map, m, "forward", index);
    const VectorPairs backward = pairs_of(map.transpose(), m, "backward", index);
    sum.specialist += (least_squares_map(forward) - map).squaredNorm();
    sum.tied += (tied_least_squares_map(forward, backward) - map).squaredNorm();
  }
  const auto n = static_cast<double>(repeats);
  return {sum.specialist / n, sum.tied / n};
}

TEST(TiedRegression, SolvesItsNormalEquation) {
  const MatrixXd map = true_map();
  const VectorPairs f = pairs_of(map, 9, "f", 0), b = pairs_of(map.transpose(), 13, "b", 0);
  const MatrixXd tied = tied_least_squares_map(f, b);
  const MatrixXd residual = times(tied, times(f.from, f.from.transpose())) +
                            times(times(b.from, b.from.transpose()), tied) -
                            times(f.to, f.from.transpose()) - times(b.from, b.to.transpose());
  // Sums of 22 products of size one, in double precision.
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-12);
}

TEST(TiedRegression, NoMapNearbyFitsBetter) {
  const MatrixXd map = true_map();
  const VectorPairs f = pairs_of(map, 9, "f", 0), b = pairs_of(map.transpose(), 13, "b", 0);
  const auto loss = [&](const MatrixXd& a) {
    return (f.to - times(a, f.from)).squaredNorm() +
           (b.to - times(a.transpose(), b.from)).squaredNorm();
  };
  const MatrixXd tied = tied_least_squares_map(f, b);
  for (uint64_t i = 0; i < 20; ++i) {
    const MatrixXd step = 1e-3 * normal_matrix(kDimension, kDimension, "step", i);
    EXPECT_GT(loss(tied + step), loss(tied));
  }
}

TEST(TiedRegression, WithoutNoiseTheMapComesBack) {
  const MatrixXd map = true_map();
  const VectorPairs forward = pairs_of(map, 20, "forward", 1, /*noise=*/0);
  const VectorPairs backward = pairs_of(map.transpose(), 4, "backward", 1, /*noise=*/0);
  EXPECT_LT((least_squares_map(forward) - map).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((tied_least_squares_map(forward, backward) - map).cwiseAbs().maxCoeff(), 1e-12);
}

// Risk sigma^2 d^2 / n of the specialist and half of it tied, as n grows: with n unit inputs the
// inverse Gram matrix exceeds 1/n by (d + 1) / n, so at n = 400 the ratio is within 2 percent, and
// 400 repeats of 36 entries add 1.2 percent (one standard error sqrt(2 / 14400)).
TEST(TiedRegression, TwoDirectionsHalveTheRisk) {
  const Risks many = risks(/*m=*/400, /*repeats=*/400);
  const double expected = kNoise * kNoise * kDimension * kDimension / 400.0;
  EXPECT_NEAR(many.specialist / expected, 1, 0.02 + 4 * 0.012);
  EXPECT_NEAR(many.tied / many.specialist, 0.5, 0.01 + 4 * 0.5 * 0.017);
  // With few pairs tying gains more than half: the specialist is close to undetermined.
  const Risks few = risks(/*m=*/8, /*repeats=*/400);
  EXPECT_LT(few.tied / few.specialist, 0.5 * 0.8);
}

TEST(TiedRegression, RiskFallsAsOneOverN) {
  const double at_100 = risks(100, 400).tied, at_400 = risks(400, 400).tied;
  // (d + 1) / (2 m) above the limit at m = 100, and the standard error of two such means.
  EXPECT_NEAR(at_100 / at_400, 4, 4 * (0.035 + 4 * 0.017));
}

TEST(TiedRegression, AtTheSameTotalBudgetTyingGainsNothing) {
  const double tied = risks(200, 400).tied, specialist = risks(400, 400).specialist;
  EXPECT_NEAR(tied / specialist, 1, 0.02 + 4 * 0.017);
}

// Both views of the same pairs (z_t, z_t+1) share their noise, so the gain is smaller than that of
// new pairs: one half is its bound.
TEST(TiedRegression, TwoViewsOfTheSameTrajectoryGainLess) {
  const double a = 0.7;
  const MatrixXd basis = orthogonal(normal_matrix(kDimension, kDimension, "basis", 0));
  const MatrixXd map = a * basis;  // unit covariance: noise 1 - a^2, backward map a basis^T
  double specialist = 0, tied = 0;
  for (uint64_t i = 0; i < 400; ++i) {
    const VectorPairs forward = pairs_of(map, 400, "views", i, std::sqrt(1 - a * a));
    specialist += (least_squares_map(forward) - map).squaredNorm();
    tied += (tied_least_squares_map(forward, {forward.to, forward.from}) - map).squaredNorm();
  }
  EXPECT_GT(tied / specialist, 0.5 + 4 * 0.5 * 0.017);
  EXPECT_LT(tied / specialist, 1 - 4 * 0.017);
}

}  // namespace
}  // namespace roundtrip
