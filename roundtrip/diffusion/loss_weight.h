#pragma once

#include <string_view>

#include <torch/types.h>

#include "roundtrip/base/registry.h"
#include "roundtrip/diffusion/prediction.h"

namespace roundtrip {

/// How much the squared error at a noise level counts in training.
enum class LossWeight { min_snr, flat };

using LossWeightEntry = ChoiceEntry<LossWeight>;

/// All loss weights, the paper's first.
const Registry<LossWeightEntry>& loss_weights();

/// Weight of the squared error of the network's output at each abar (float64, any shape); same
/// shape and type. With SNR = abar / (1 - abar) and gamma = 5, `min_snr` counts the error of the
/// clean frame min(SNR, gamma) times, whatever is predicted: min(SNR, gamma) for x0,
/// min(SNR, gamma) / SNR for eps, min(SNR, gamma) / (SNR + 1) for v, and 1 where SNR is 0.
torch::Tensor weights_of(LossWeight weight, Prediction prediction, const torch::Tensor& abar);

}  // namespace roundtrip
