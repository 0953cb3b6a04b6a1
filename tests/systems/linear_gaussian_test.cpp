#include "roundtrip/systems/linear_gaussian.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/base/error.h"
#include "tests/support/dense.h"

namespace roundtrip {
namespace {

using Eigen::MatrixXd;
using testing::HasSubstr;

// 3x3 cells: an odd dimension, so that the lone real eigenvalue is there too.
LinearGaussianConfig small_config(int64_t frames) {
  LinearGaussianConfig config;
  config.resolution = 3;
  config.frames = frames;
  config.spectrum = {
      .slowest = 0.95, .fastest = 0.4, .rotation = 1.0, .non_normality = 0.4, .matrix_seed = 3};
  return config;
}

std::vector<std::vector<float>> frames_of(const System& system, const TrajectoryKey& key) {
  std::vector<std::vector<float>> frames;
  system.solve(key, [&](int64_t frame, std::span<const float> values) {
    EXPECT_EQ(frame, static_cast<int64_t>(frames.size()));
    frames.emplace_back(values.begin(), values.end());
  });
  return frames;
}

// First and last frames of many trajectories, one per column.
struct Ends {
  MatrixXd first, last;
};

Ends ends_of(const LinearGaussianConfig& config, int64_t trajectories) {
  const auto system = make_linear_gaussian(config);
  Ends ends{MatrixXd(config.dimension(), trajectories), MatrixXd(config.dimension(), trajectories)};
  for (int64_t n = 0; n < trajectories; ++n) {
    const auto frames = frames_of(*system, {.seed = 11, .split = "train", .index = n});
    for (int64_t i = 0; i < config.dimension(); ++i) {
      ends.first(i, n) = frames.front()[static_cast<size_t>(i)];
      ends.last(i, n) = frames.back()[static_cast<size_t>(i)];
    }
  }
  return ends;
}

// The largest |estimate - truth| in units of each entry's own standard error.
double worst_deviation(const MatrixXd& estimate, const MatrixXd& truth, const MatrixXd& error) {
  return ((estimate - truth).array() / error.array()).abs().maxCoeff();
}

// Least squares of `to` on `from`: the slope's entries have variance Q_ii (Sigma^-1)_jj / n.
void expect_regression(const MatrixXd& from, const MatrixXd& to, const MatrixXd& map,
                       const MatrixXd& noise, const MatrixXd& covariance) {
  const auto n = static_cast<double>(from.cols());
  const MatrixXd slope = times(times(to, from.transpose()), inverse(times(from, from.transpose())));
  const Eigen::VectorXd precision = inverse(covariance).diagonal();
  const MatrixXd error = (times(noise.diagonal(), precision.transpose()) / n).cwiseSqrt();
  // 81 entries: a right answer stays below 4.5 with probability 0.9995, and the seed is fixed.
  EXPECT_LT(worst_deviation(slope, map, error), 4.5);
  const MatrixXd residual = to - times(slope, from);
  const MatrixXd spread = times(residual, residual.transpose()) / n;
  const Eigen::VectorXd variances = noise.diagonal();
  const MatrixXd spread_error =
      ((times(variances, variances.transpose()) + noise.cwiseAbs2()) / n).cwiseSqrt();
  EXPECT_LT(worst_deviation(spread, noise, spread_error), 4.5);
}

TEST(LinearGaussian, RegressionRecoversBothMaps) {
  const LinearGaussianConfig config = small_config(/*frames=*/2);
  const LinearGaussianModel model = make_linear_gaussian_model(config);
  const Ends ends = ends_of(config, 20'000);
  expect_regression(ends.first, ends.last, model.forward_map(), model.forward_noise(),
                    model.covariance());
  expect_regression(ends.last, ends.first, model.backward_map(), model.backward_noise(),
                    model.covariance());
  // The test could tell the two maps apart: they differ by far more than the errors above.
  EXPECT_GT((model.backward_map() - model.forward_map().transpose()).norm(), 0.1);
}

TEST(LinearGaussian, IsStationary) {
  const LinearGaussianConfig config = small_config(/*frames=*/8);
  const MatrixXd sigma = make_linear_gaussian_model(config).covariance();
  const int64_t count = 10'000;
  const Ends ends = ends_of(config, count);
  const auto n = static_cast<double>(count);
  const Eigen::VectorXd variances = sigma.diagonal();
  const MatrixXd error =
      ((times(variances, variances.transpose()) + sigma.cwiseAbs2()) / n).cwiseSqrt();
  const Eigen::VectorXd mean_error = (variances / n).cwiseSqrt();
  for (const MatrixXd& z : {ends.first, ends.last}) {
    EXPECT_LT(worst_deviation(times(z, z.transpose()) / n, sigma, error), 4.5);
    EXPECT_LT(worst_deviation(z.rowwise().mean(), MatrixXd::Zero(z.rows(), 1), mean_error), 4.5);
  }
}

TEST(LinearGaussian, SameKeySameBitsOtherKeyOtherDraws) {
  const auto system = make_linear_gaussian("small", {"frames=5"});
  const TrajectoryKey key{.seed = 1, .split = "train", .index = 4};
  const auto frames = frames_of(*system, key);
  ASSERT_EQ(frames.size(), 5U);
  EXPECT_EQ(frames, frames_of(*make_linear_gaussian("small", {"frames=5"}), key));
  EXPECT_NE(frames, frames_of(*system, {.seed = 2, .split = "train", .index = 4}));
  EXPECT_NE(frames, frames_of(*system, {.seed = 1, .split = "test", .index = 4}));
  EXPECT_NE(frames, frames_of(*system, {.seed = 1, .split = "train", .index = 5}));
  // More frames extend a trajectory, they do not change it.
  auto longer = frames_of(*make_linear_gaussian("small", {"frames=9"}), key);
  longer.resize(5);
  EXPECT_EQ(frames, longer);
}

TEST(LinearGaussian, LayoutDescribesTheFrames) {
  const auto system = make_linear_gaussian("small", {});
  const DatasetLayout layout = system->layout(0);
  EXPECT_EQ(layout.dataset_name, "linear_gaussian");
  EXPECT_EQ(layout.channels(), 1);
  EXPECT_EQ(layout.frame_size(), 64);
  ASSERT_EQ(layout.times.size(), 50U);
  EXPECT_EQ(layout.times.back(), 49.0);
  EXPECT_EQ(layout.axes[0].coordinates.front(), 0.0625);
  EXPECT_EQ(make_linear_gaussian("paper", {})->layout(0).frame_size(), 256);
}

TEST(LinearGaussian, SettingsRoundTripAndBadOnesAreErrors) {
  const auto system = make_linear_gaussian("small", {"resolution=2", "non_normality=0.25"});
  LinearGaussianConfig config;
  Settings settings("linear_gaussian");
  bind(config, settings);
  settings.read_toml(system->settings());
  EXPECT_EQ(config.resolution, 2);
  EXPECT_EQ(config.spectrum.non_normality, 0.25);
  EXPECT_EQ(make_linear_gaussian(config)->settings(), system->settings());
  EXPECT_THROW(make_linear_gaussian("small", {"slowest=1.0"}), Error);
  EXPECT_THROW(make_linear_gaussian("small", {"frames=1"}), Error);
  EXPECT_THROW(make_linear_gaussian("large", {}), Error);
  try {
    make_linear_gaussian("small", {"fastest=0.99"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("fastest: expected at most slowest = 0.98, found 0.99"));
  }
}

}  // namespace
}  // namespace roundtrip
