// The residual block of latent-diffusion autoencoders (Rombach et al. 2022). Only the second
// normalisation is modulated: that placement, with one linear map per block, is the one whose
// parameter counts match those of the paper.
#include "roundtrip/nn/residual_block.h"

#include <numeric>

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"

namespace roundtrip {

torch::nn::GroupNorm group_norm(int64_t groups, int64_t channels) {
  return torch::nn::GroupNorm(
      torch::nn::GroupNormOptions(std::gcd(groups, channels), channels).eps(1e-6));
}

torch::nn::Conv2d same_convolution(int64_t inputs, int64_t outputs, int64_t kernel) {
  return torch::nn::Conv2d(
      torch::nn::Conv2dOptions(inputs, outputs, kernel).padding((kernel - 1) / 2));
}

FilmImpl::FilmImpl(int64_t condition, int64_t channels)
    : linear_(register_module("linear", torch::nn::Linear(condition, 2 * channels))) {
  initialise_as_identity();
}

void FilmImpl::initialise_as_identity() {
  const torch::NoGradGuard no_grad;
  linear_->weight.zero_();
  linear_->bias.zero_();
}

torch::Tensor FilmImpl::forward(const torch::Tensor& x, const torch::Tensor& condition) {
  const auto parts = linear_(condition).unsqueeze(-1).unsqueeze(-1).chunk(2, /*dim=*/1);
  return torch::addcmul(parts[1], x, 1 + parts[0]);
}

ResidualBlockImpl::ResidualBlockImpl(const ResidualBlockOptions& options) {
  const int64_t inputs = options.inputs;
  const int64_t outputs = options.outputs;
  norm1_ = register_module("norm1", group_norm(options.groups, inputs));
  conv1_ = register_module("conv1", same_convolution(inputs, outputs));
  norm2_ = register_module("norm2", group_norm(options.groups, outputs));
  if (options.condition > 0) film_ = register_module("film", Film(options.condition, outputs));
  conv2_ = register_module("conv2", same_convolution(outputs, outputs));
  if (inputs != outputs) {
    shortcut_ = register_module("conv_shortcut", same_convolution(inputs, outputs, /*kernel=*/1));
  }
}

torch::Tensor ResidualBlockImpl::forward(const torch::Tensor& x, const torch::Tensor& condition) {
  ensure(condition.defined() == !film_.is_empty(), "a condition where the block has one");
  torch::Tensor inner = norm2_(conv1_(torch::silu(norm1_(x))));
  if (!film_.is_empty()) inner = film_(inner, condition);
  inner = conv2_(torch::silu(inner));
  return inner + (shortcut_.is_empty() ? x : shortcut_(x));
}

}  // namespace roundtrip
