// Min-SNR weighting, Hang et al. 2023: without the cap the almost clean levels rule the gradient.
#include "roundtrip/diffusion/loss_weight.h"

#include <torch/types.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr double kGamma = 5;

// The squared error of x0 is that of the network's output divided by this.
torch::Tensor divisor(Prediction prediction, const torch::Tensor& snr) {
  switch (prediction) {
    case Prediction::eps:
      return snr;
    case Prediction::v:
      return snr + 1;
    case Prediction::x0:
      return torch::ones_like(snr);
  }
  throw Bug("loss_weight: unknown prediction");
}

}  // namespace

const Registry<LossWeightEntry>& loss_weights() {
  static const Registry<LossWeightEntry> rows = {
      {"min_snr", "error of the clean frame times min(SNR, 5)", LossWeight::min_snr},
      {"flat", "the network's own squared error, the same at every noise level", LossWeight::flat},
  };
  return rows;
}

torch::Tensor weights_of(LossWeight weight, Prediction prediction, const torch::Tensor& abar) {
  if (weight == LossWeight::flat) return torch::ones_like(abar);
  const torch::Tensor snr = abar / (1 - abar);
  const torch::Tensor capped = snr.clamp_max(kGamma) / divisor(prediction, snr);
  return torch::where(snr == 0, torch::ones_like(abar), capped);
}

}  // namespace roundtrip
