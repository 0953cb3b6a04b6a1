#pragma once

#include <cstdint>

#include <torch/nn/modules/conv.h>
#include <torch/types.h>

namespace roundtrip {

/// Halves height and width (both even) by a 3x3 convolution of stride 2 that starts at the first
/// pixel: zeros are added right and below only, as in Stable Diffusion's encoder. Key: conv.
class DownsampleImpl : public torch::nn::Module {
 public:
  explicit DownsampleImpl(int64_t channels);
  /// (batch, channels, height, width) -> (batch, channels, height / 2, width / 2)
  torch::Tensor forward(const torch::Tensor& x);

 private:
  torch::nn::Conv2d conv_{nullptr};
};
TORCH_MODULE(Downsample);

/// Doubles height and width by repeating pixels, then a 3x3 convolution. Key: conv.
class UpsampleImpl : public torch::nn::Module {
 public:
  explicit UpsampleImpl(int64_t channels);
  /// (batch, channels, height, width) -> (batch, channels, 2 height, 2 width)
  torch::Tensor forward(const torch::Tensor& x);

 private:
  torch::nn::Conv2d conv_{nullptr};
};
TORCH_MODULE(Upsample);

}  // namespace roundtrip
