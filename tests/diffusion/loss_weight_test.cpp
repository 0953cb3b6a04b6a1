#include "roundtrip/diffusion/loss_weight.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "roundtrip/diffusion/noise_schedule.h"
#include "roundtrip/nn/init.h"

namespace roundtrip {
namespace {

torch::Tensor all_steps(const NoiseSchedule& schedule) {
  return schedule.alpha_bars(torch::arange(schedule.steps(), torch::kInt64), 1);
}

TEST(LossWeight, MinSnrIsItsFormula) {
  const torch::Tensor abar = torch::tensor({0.5, 0.9}, torch::kFloat64);  // SNR 1 and 9
  const auto weight = [&](Prediction prediction, int64_t i) {
    return weights_of(LossWeight::min_snr, prediction, abar)[i].item<double>();
  };
  EXPECT_NEAR(weight(Prediction::eps, 0), 1, 1e-14);
  EXPECT_NEAR(weight(Prediction::eps, 1), 5.0 / 9, 1e-14);
  EXPECT_NEAR(weight(Prediction::x0, 0), 1, 1e-14);
  EXPECT_NEAR(weight(Prediction::x0, 1), 5, 1e-14);
  EXPECT_NEAR(weight(Prediction::v, 0), 0.5, 1e-14);
  EXPECT_NEAR(weight(Prediction::v, 1), 0.5, 1e-14);
}

// All three predictions with min-SNR are one loss: the same x0 costs the same.
TEST(LossWeight, MinSnrMeansTheSameForEveryPrediction) {
  const torch::Tensor abar = all_steps(NoiseSchedule(50)).view({50, 1});
  const torch::Tensor x0 = keyed_normal({50, 8}, 1, "x0", 0, torch::kFloat64);
  const torch::Tensor eps = keyed_normal({50, 8}, 1, "eps", 0, torch::kFloat64);
  const torch::Tensor noised = add_noise(x0, eps, abar);
  const torch::Tensor guess = keyed_normal({50, 8}, 1, "guess", 0, torch::kFloat64);
  const DenoisedEstimate wrong = estimate(Prediction::x0, guess, noised, abar);
  const auto loss = [&](Prediction prediction) {
    const torch::Tensor output = training_target(prediction, wrong.x0, wrong.eps, abar);
    const torch::Tensor error = output - training_target(prediction, x0, eps, abar);
    return weights_of(LossWeight::min_snr, prediction, abar) * error.square();
  };
  const torch::Tensor expected = loss(Prediction::x0);
  EXPECT_TRUE(torch::allclose(loss(Prediction::eps), expected, 1e-9, 0));
  EXPECT_TRUE(torch::allclose(loss(Prediction::v), expected, 1e-9, 0));
}

TEST(LossWeight, TheCapHoldsBelowTheStepsOfThePapersSchedules) {
  for (const auto& [steps, first] : {std::pair{1000, 261}, {200, 52}}) {
    const torch::Tensor weights =
        weights_of(LossWeight::min_snr, Prediction::eps, all_steps(NoiseSchedule(steps)));
    EXPECT_LT(weights[first - 1].item<double>(), 1);
    EXPECT_EQ(weights[first].item<double>(), 1);
  }
}

TEST(LossWeight, PureNoiseCountsOnce) {
  const torch::Tensor abar = torch::zeros({1}, torch::kFloat64);
  for (const PredictionEntry& row : predictions()) {
    EXPECT_EQ(weights_of(LossWeight::min_snr, row.value, abar).item<double>(), 1) << row.name;
  }
}

TEST(LossWeight, FlatIsOneEverywhere) {
  const torch::Tensor abar = all_steps(NoiseSchedule(20)).view({20, 1, 1, 1});
  for (const PredictionEntry& row : predictions()) {
    EXPECT_TRUE(
        torch::equal(weights_of(LossWeight::flat, row.value, abar), torch::ones_like(abar)));
  }
}

}  // namespace
}  // namespace roundtrip
