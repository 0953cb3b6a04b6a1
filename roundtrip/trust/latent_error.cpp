#include "roundtrip/trust/latent_error.h"

namespace roundtrip {

torch::Tensor LatentError::entries(const torch::Tensor& frames) const {
  return frames.index_select(-3, live_).to(torch::kFloat64).flatten(-3);
}

double LatentError::mse(const torch::Tensor& a, const torch::Tensor& b) const {
  return (entries(a) - entries(b)).square().mean().item<double>();
}

std::vector<double> LatentError::each(const torch::Tensor& a, const torch::Tensor& b) const {
  const torch::Tensor errors = (entries(a) - entries(b)).square().mean(-1).contiguous();
  return {errors.data_ptr<double>(), errors.data_ptr<double>() + errors.numel()};
}

}  // namespace roundtrip
