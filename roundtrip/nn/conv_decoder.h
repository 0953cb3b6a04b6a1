#pragma once

#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/normalization.h>
#include <torch/types.h>

#include "roundtrip/nn/conv_stack.h"

namespace roundtrip {

/// Latents back to images, the mirror of ConvEncoder with one more residual block per stage:
/// convolution, mid block, stages that double, normalisation, SiLU, convolution. Keys as in
/// diffusers.
class ConvDecoderImpl : public torch::nn::Module {
 public:
  explicit ConvDecoderImpl(const ConvStackOptions& options);
  /// z (batch, latent channels, height, width), condition (batch, size) or undefined without one;
  /// result (batch, image channels, height * 2^downsamplings, width * 2^downsamplings).
  torch::Tensor forward(const torch::Tensor& z, const torch::Tensor& condition = {});

 private:
  torch::nn::Conv2d conv_in_{nullptr}, conv_out_{nullptr};
  MidBlock mid_block_{nullptr};
  torch::nn::ModuleList up_blocks_;
  torch::nn::GroupNorm norm_out_{nullptr};
};
TORCH_MODULE(ConvDecoder);

}  // namespace roundtrip
