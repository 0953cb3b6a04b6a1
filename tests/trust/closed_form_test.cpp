// Every signal on a linear process, where powers of two matrices give the exact answer.
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/base/random.h"
#include "roundtrip/trust/measure.h"
#include "tests/support/dense.h"
#include "tests/support/linear_surrogate.h"

namespace roundtrip {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int64_t kStateSize = 5;
constexpr int64_t kLength = 14;

MatrixXd power(const MatrixXd& matrix, int64_t exponent) {
  MatrixXd result = MatrixXd::Identity(matrix.rows(), matrix.cols());
  for (int64_t i = 0; i < exponent; ++i) result = times(matrix, result);
  return result;
}

double mse(const VectorXd& a, const VectorXd& b) {
  return (a - b).squaredNorm() / static_cast<double>(a.size());
}

std::vector<VectorXd> trajectory_of(const LinearGaussianModel& model, uint64_t index,
                                    int64_t frames) {
  const RandomStream stream(7, "closed_form", index);
  const MatrixXd start = cholesky(model.covariance());
  const MatrixXd kick = cholesky(model.forward_noise());
  std::vector<VectorXd> z;
  for (int64_t t = 0; t < frames; ++t) {
    VectorXd draw(model.dimension());
    for (int64_t i = 0; i < draw.size(); ++i) {
      draw[i] = stream.normal(static_cast<uint64_t>(t * draw.size() + i));
    }
    z.push_back(t == 0 ? VectorXd(start * draw)
                       : VectorXd(model.forward_map() * z.back() + kick * draw));
  }
  return z;
}

torch::Tensor latents_of(const std::vector<VectorXd>& z) {
  std::vector<torch::Tensor> frames;
  for (const VectorXd& vector : z) frames.push_back(frame_of(vector));
  return torch::stack(frames);
}

using Curves = std::vector<std::map<std::string, double>>;  // per depth

class ClosedForm : public testing::TestWithParam<int64_t> {  // contexts
 protected:
  Curves measure(const Surrogate& surrogate, const std::vector<VectorXd>& z,
                 const std::vector<int64_t>& depths) const {
    const Meter meter(surrogate,
                      {.depths = depths,
                       .signals = {"round_trip", "error", "residual", "mirror", "fbf", "local"},
                       .batch = 7});
    const auto tables = meter.measure(
        {{.latents = latents_of(z), .fields = {}, .initial_frames = GetParam(), .first_index = 0}});
    Curves curves;
    for (const auto& row : tables.at(0)) {
      curves.emplace_back();
      for (size_t c = 0; c < row.size(); ++c) curves.back()[meter.columns()[c]] = row[c];
    }
    return curves;
  }
};

TEST_P(ClosedForm, EverySignalIsAPowerOfTheTwoMaps) {
  const int64_t n = GetParam();
  const LinearGaussianModel model = make_linear_gaussian_model(
      kStateSize, {.slowest = 0.95, .fastest = 0.5, .non_normality = 0.4});
  const MatrixXd &A = model.forward_map(), &B = model.backward_map();
  const Surrogate surrogate = linear_surrogate(A, B, n);
  std::vector<int64_t> depths;
  for (int64_t i = 1; i <= kLength - n; ++i) depths.push_back(i);

  for (uint64_t trajectory = 0; trajectory < 3; ++trajectory) {
    const auto z = trajectory_of(model, trajectory, kLength);
    const Curves found = measure(surrogate, z, depths);
    // Frame at a position of the rollout: seed frames, then powers of A on the newest.
    const auto at = [&](int64_t position) {
      return position < n ? z[position] : VectorXd(power(A, position - n + 1) * z[n - 1]);
    };
    const auto mirror_at = [&](int64_t position) {  // from the other end
      return position < n ? z[kLength - 1 - position]
                          : VectorXd(power(B, position - n + 1) * z[kLength - n]);
    };
    for (const int64_t i : depths) {
      const auto& row = found[static_cast<size_t>(i - 1)];
      const auto near = [&](const char* name, double expected) {
        // Sums of a few dozen products of doubles: 1e-9 leaves room, 1e-6 is asked for.
        EXPECT_NEAR(row.at(name), expected, 1e-9 * std::max(1.0, expected))
            << name << " depth " << i << " contexts " << n;
      };
      // A leg that turns at depth i starts from position i, the oldest it sees.
      double sum = 0, residual = 0, mirrored = 0, leak_free = 0;
      for (int64_t p = 0; p < std::min(i, n); ++p) {
        sum += mse(power(B, i - p) * at(i), z[p]);
        mirrored += mse(power(A, i - p) * mirror_at(i), mirror_at(p));
      }
      for (int64_t p = 0; p < n; ++p) {
        if (p < i) residual += mse(power(B, i - p) * z[i], z[p]);
      }
      const int64_t oldest = std::max(n, i);  // that a leak-free leg sees
      for (int64_t k = 1; k <= std::min(i, n); ++k) {
        const int64_t p = oldest - i + k - 1;
        leak_free += mse(power(B, oldest - p) * at(oldest), z[p]);
      }
      const auto made = static_cast<double>(std::min(i, n));
      near("C", sum / static_cast<double>(n));
      near("C_regenerated", sum / made);
      near("C_leakfree", leak_free / made);
      near("C_back", mirrored / static_cast<double>(n));
      near("delta", std::sqrt(residual / static_cast<double>(n)));
      near("E", mse(at(n - 1 + i), z[n - 1 + i]));
      const double before = i > 1 ? mse(at(n - 2 + i), z[n - 2 + i]) : 0;
      near("E_pair", (before + mse(at(n - 1 + i), z[n - 1 + i])) / 2);
      near("E_back", mse(mirror_at(n - 1 + i), z[kLength - n - i]));
      // The third leg goes on from the newest of the returned seed frames.
      const VectorXd returned = i > n - 1 ? VectorXd(power(B, i - n + 1) * at(i)) : at(n - 1);
      near("fbf", mse(power(A, i) * returned, at(n - 1 + i)));
      for (const int64_t j : {1, 2, 4}) {
        const int64_t back = std::min(i, j);
        double total = 0;
        for (int64_t k = back; k <= i; ++k) {
          for (int64_t p = k - back; p < k - back + n; ++p) {
            if (p < k) total += mse(power(B, k - p) * at(k), at(p)) / static_cast<double>(n);
          }
        }
        near(("local_" + std::to_string(j)).c_str(), total / static_cast<double>(i - back + 1));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Contexts, ClosedForm, testing::Values(1, 2, 3, 10));

// With n = 1: E[E_i] = tr(Sigma - A^i Sigma A^i^T) / d and so on, over the stationary law.
TEST(ClosedFormMeans, ExpectationsAreTheModelsOwn) {
  const LinearGaussianModel model =
      make_linear_gaussian_model(3, {.slowest = 0.9, .fastest = 0.5, .non_normality = 0.3});
  const MatrixXd &A = model.forward_map(), &B = model.backward_map(), &S = model.covariance();
  const std::vector<int64_t> depths = {1, 3, 6};
  const Meter meter(linear_surrogate(A, B, 1),
                    {.depths = depths, .signals = {"round_trip", "error", "residual", "mirror"}});
  constexpr int64_t kCount = 1500;
  std::vector<MeasuredTrajectory> trajectories;
  for (int64_t i = 0; i < kCount; ++i) {
    trajectories.push_back({.latents = latents_of(trajectory_of(model, 100 + i, 7)),
                            .fields = {},
                            .initial_frames = 1,
                            .first_index = 0});
  }
  const auto tables = meter.measure(trajectories);
  for (size_t d = 0; d < depths.size(); ++d) {
    const int64_t i = depths[d];
    const auto cycle = [&](const MatrixXd& out, const MatrixXd& back) {
      const MatrixXd lost = times(power(back, i), power(out, i)) - MatrixXd::Identity(3, 3);
      return congruent(lost, S).trace() / 3;
    };
    const std::map<std::string, double> expected = {{"E", model.forward_error(i)},
                                                    {"E_back", model.backward_error(i)},
                                                    {"C", cycle(A, B)},
                                                    {"C_back", cycle(B, A)},
                                                    {"delta", model.backward_error(i)}};
    for (const auto& [name, mean] : expected) {
      const size_t c =
          static_cast<size_t>(std::find(meter.columns().begin(), meter.columns().end(), name) -
                              meter.columns().begin());
      double sum = 0, squares = 0;
      for (const SignalTable& table : tables) {
        const double value = name == "delta" ? table[d][c] * table[d][c] : table[d][c];
        sum += value;
        squares += value * value;
      }
      const double found = sum / kCount;
      const double error = std::sqrt((squares / kCount - found * found) / kCount);
      EXPECT_NEAR(found, mean, 4 * error) << name << " at depth " << i;
    }
  }
}

TEST(RoundTrip, AnExactInverseReturnsToTheSeeds) {
  const MatrixXd A = make_linear_gaussian_model(4, {.slowest = 0.99, .fastest = 0.8}).forward_map();
  const Meter meter(linear_surrogate(A, inverse(A), 2),
                    {.depths = {1, 5, 20}, .signals = {"round_trip"}});
  const VectorXd z = VectorXd::LinSpaced(4, -1, 2);
  const auto tables = meter.measure(
      {{.latents = latents_of({z, A * z}), .fields = {}, .initial_frames = 2, .first_index = 0}});
  // 20 steps there and back lose at most (0.99 / 0.8)^20 = 71 of double precision's digits.
  for (const auto& row : tables.at(0)) EXPECT_LT(row.at(0), 1e-24);
}

// A backward map that collapses onto the seed frames says "all well" while the rollout is far off:
// the check is necessary, not sufficient.
TEST(RoundTrip, ACollapsingBackwardMapHidesTheError) {
  class Collapsing final : public Stepper {
   public:
    torch::Tensor step(const FrameWindows& inputs) override {
      const torch::Tensor forward = inputs.context.select(1, -1) * 1.5;
      const torch::Tensor home = torch::full_like(forward, 1.0);
      return torch::where((inputs.direction > 0).view({-1, 1, 1, 1}), forward, home);
    }
    int64_t contexts() const override { return 1; }
    FrameShape frame() const override { return {1, 1, 1}; }
    torch::ScalarType type() const override { return torch::kFloat64; }
  };
  const Meter meter(surrogate_of(std::make_shared<Collapsing>()),
                    {.depths = {1, 8}, .signals = {"round_trip", "error"}});
  const auto tables = meter.measure({{.latents = torch::ones({9, 1, 1, 1}, torch::kFloat64),
                                      .fields = {},
                                      .initial_frames = 1,
                                      .first_index = 0}});
  const auto& deepest = tables.at(0).at(1);
  EXPECT_EQ(deepest.at(0), 0);                                          // C
  EXPECT_NEAR(deepest.at(3), std::pow(std::pow(1.5, 8) - 1, 2), 1e-9);  // E
}

}  // namespace
}  // namespace roundtrip
