#pragma once

#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/normalization.h>
#include <torch/types.h>

#include "roundtrip/nn/conv_stack.h"

namespace roundtrip {

/// Images to the parameters of a Gaussian at a coarser grid: stem, stages of residual blocks with a
/// halving after each, mid block, normalisation, SiLU, convolution. Keys as in diffusers.
class ConvEncoderImpl : public torch::nn::Module {
 public:
  explicit ConvEncoderImpl(const ConvStackOptions& options);
  /// x (batch, image channels, height, width), condition (batch, size) or undefined without one;
  /// result (batch, 2 * latent channels, height / 2^downsamplings, width / 2^downsamplings).
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& condition = {});

 private:
  torch::nn::Conv2d conv_in_{nullptr}, conv_out_{nullptr};
  torch::nn::ModuleList down_blocks_;
  MidBlock mid_block_{nullptr};
  torch::nn::GroupNorm norm_out_{nullptr};
};
TORCH_MODULE(ConvEncoder);

}  // namespace roundtrip
