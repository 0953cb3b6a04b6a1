#include "roundtrip/diffusion/prediction.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "roundtrip/diffusion/noise_schedule.h"
#include "roundtrip/nn/init.h"

namespace roundtrip {
namespace {

double largest(const torch::Tensor& x) { return x.abs().max().item<double>(); }

class PredictionTest : public testing::Test {
 protected:
  const NoiseSchedule schedule_{1000};
  const torch::Tensor k_ = torch::tensor({0, 250, 700, 990}, torch::kInt64);
  const torch::Tensor abar_ = schedule_.alpha_bars(k_, 4);
  const torch::Tensor x0_ = keyed_normal({4, 2, 3, 3}, 1, "x0", 0, torch::kFloat64);
  const torch::Tensor eps_ = keyed_normal({4, 2, 3, 3}, 1, "eps", 0, torch::kFloat64);
  const torch::Tensor noised_ = add_noise(x0_, eps_, abar_);
};

TEST_F(PredictionTest, NoisedFramesMixByTheSchedule) {
  for (int64_t b = 0; b < 4; ++b) {
    const double abar = schedule_.alpha_bar(k_[b].item<int64_t>());
    const torch::Tensor expected = std::sqrt(abar) * x0_[b] + std::sqrt(1 - abar) * eps_[b];
    EXPECT_LT(largest(noised_[b] - expected), 1e-15);
  }
}

// The worst rounding is 1e-16 times 1/sqrt(abar) = 60 (eps at k = 990) or 1/sqrt(1 - abar) = 160
// (x0 at k = 0).
TEST_F(PredictionTest, AnExactOutputGivesBackFrameAndNoise) {
  for (const PredictionEntry& row : predictions()) {
    const torch::Tensor output = training_target(row.value, x0_, eps_, abar_);
    const DenoisedEstimate found = estimate(row.value, output, noised_, abar_);
    EXPECT_LT(largest(found.x0 - x0_), 1e-12) << row.name;
    EXPECT_LT(largest(found.eps - eps_), 1e-12) << row.name;
  }
}

// Whatever a network outputs, its two halves make the noised frame, and give the output back.
TEST_F(PredictionTest, EstimatesOfAnyOutputMakeTheNoisedFrame) {
  const torch::Tensor output = keyed_normal({4, 2, 3, 3}, 1, "output", 0, torch::kFloat64);
  for (const PredictionEntry& row : predictions()) {
    const DenoisedEstimate found = estimate(row.value, output, noised_, abar_);
    EXPECT_LT(largest(add_noise(found.x0, found.eps, abar_) - noised_), 1e-12) << row.name;
    EXPECT_LT(largest(training_target(row.value, found.x0, found.eps, abar_) - output), 1e-12)
        << row.name;
  }
}

TEST_F(PredictionTest, VIsTheDerivativeOfTheNoisedFrameAlongItsAngle) {
  // x(angle) = cos x0 + sin eps, so v = dx/dangle = -sin x0 + cos eps; central difference, h^2 / 6.
  const torch::Tensor angle = abar_.sqrt().acos();
  const double h = 1e-5;
  const auto at = [&](const torch::Tensor& a) { return a.cos() * x0_ + a.sin() * eps_; };
  const torch::Tensor slope = (at(angle + h) - at(angle - h)) / (2 * h);
  EXPECT_LT(largest(training_target(Prediction::v, x0_, eps_, abar_) - slope), 1e-9);
}

// The last cosine step leaves sqrt(abar) = 5e-5 of the frame: the same error of the output is
// 20 000 times larger in the frame for eps, and no larger for v and x0.
TEST_F(PredictionTest, TheLastStepIsSingularForEpsAlone) {
  const torch::Tensor k = torch::full({1}, 999, torch::kInt64);
  const torch::Tensor abar = schedule_.alpha_bars(k, 4);
  const torch::Tensor x0 = x0_.slice(0, 0, 1), eps = eps_.slice(0, 0, 1);
  const torch::Tensor noised = add_noise(x0, eps, abar);
  const double error = 1e-3;
  const auto frame_error = [&](Prediction prediction) {
    const torch::Tensor output = training_target(prediction, x0, eps, abar) + error;
    return largest(estimate(prediction, output, noised, abar).x0 - x0);
  };
  EXPECT_NEAR(frame_error(Prediction::eps) / error, 1 / std::sqrt(2.42877e-9), 1);
  EXPECT_NEAR(frame_error(Prediction::v) / error, 1, 1e-6);
  EXPECT_NEAR(frame_error(Prediction::x0) / error, 1, 1e-6);
}

// In float32 1 - abar of k = 0 keeps three digits, its square root taken in float64 all of them.
TEST_F(PredictionTest, FloatFramesStayFloatAndTheirCoefficientsExact) {
  const torch::Tensor zero = torch::zeros({4, 2, 3, 3});
  const torch::Tensor noised = add_noise(zero, torch::ones_like(zero), abar_);
  EXPECT_EQ(noised.scalar_type(), torch::kFloat32);
  EXPECT_EQ(noised[0].max().item<float>(),
            static_cast<float>(std::sqrt(1 - schedule_.alpha_bar(0))));
  EXPECT_THROW(add_noise(zero, zero, abar_.to(torch::kFloat32)), Bug);
}

}  // namespace
}  // namespace roundtrip
