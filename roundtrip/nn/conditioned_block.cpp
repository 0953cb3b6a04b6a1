#include "roundtrip/nn/conditioned_block.h"

#include <torch/types.h>
#include <torch/utils.h>

namespace roundtrip {

ConditionedBlockImpl::ConditionedBlockImpl(const ConditionedBlockOptions& options) {
  const PaddedConvolutionOptions convolution{options.channels, options.channels, options.dilation,
                                             options.padding};
  conv1_ = register_module("conv1", PaddedConvolution(convolution));
  film_ = register_module("film", Dense(options.condition, 2 * options.channels));
  conv2_ = register_module("conv2", PaddedConvolution(convolution));
}

torch::Tensor ConditionedBlockImpl::forward(const torch::Tensor& x,
                                            const torch::Tensor& condition) {
  const auto parts = film_(condition).unsqueeze(-1).unsqueeze(-1).chunk(2, /*dim=*/1);
  const torch::Tensor inner = torch::silu(conv1_(x));
  return x + conv2_(torch::addcmul(parts[1], inner, 1 + parts[0]));
}

void ConditionedBlockImpl::initialise_as_identity() {
  const torch::NoGradGuard no_grad;
  film_->weight.zero_();
  film_->bias.zero_();
  conv2_->initialise_as_zero();
}

}  // namespace roundtrip
