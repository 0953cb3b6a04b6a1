#pragma once

#include <string_view>

#include <torch/types.h>

#include "roundtrip/base/registry.h"

namespace roundtrip {

/// What the network is trained to output for a noised frame.
enum class Prediction { eps, v, x0 };

using PredictionEntry = ChoiceEntry<Prediction>;

/// All predictions, the paper's first.
const Registry<PredictionEntry>& predictions();

/// Both halves of a noised frame, each of the frame's shape.
struct DenoisedEstimate {
  torch::Tensor x0;   // the clean frame
  torch::Tensor eps;  // the noise
};

// Frames below are (B, ...) of any float type; `abar` is float64 of any shape that broadcasts with
// them (NoiseSchedule::alpha_bars), strictly between 0 and 1.

/// x_k = sqrt(abar) x0 + sqrt(1 - abar) eps.
torch::Tensor add_noise(const torch::Tensor& x0, const torch::Tensor& eps,
                        const torch::Tensor& abar);

/// What the network should output: eps, x0, or v = sqrt(abar) eps - sqrt(1 - abar) x0.
torch::Tensor training_target(Prediction prediction, const torch::Tensor& x0,
                              const torch::Tensor& eps, const torch::Tensor& abar);

/// The clean frame and the noise that a network's output stands for; add_noise of the two gives
/// `noised` back. An error of the output enters x0 times sqrt((1 - abar) / abar) for eps, times
/// sqrt(1 - abar) for v and unchanged for x0.
DenoisedEstimate estimate(Prediction prediction, const torch::Tensor& output,
                          const torch::Tensor& noised, const torch::Tensor& abar);

}  // namespace roundtrip
