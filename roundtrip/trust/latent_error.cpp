#include "roundtrip/trust/latent_error.h"

namespace roundtrip {

torch::Tensor LatentError::entries(const torch::Tensor& frames) const {
  return frames.index_select(-3, live_).to(torch::kFloat64).flatten(-3);
}

double LatentError::mse(const torch::Tensor& a, const torch::Tensor& b) const {
  return (entries(a) - entries(b)).square().mean().item<double>();
}

}  // namespace roundtrip
