#include "roundtrip/nn/resample.h"

#include <torch/types.h>
#include <torch/nn/modules/conv.h>

#include "roundtrip/nn/residual_block.h"

namespace roundtrip {

DownsampleImpl::DownsampleImpl(int64_t channels)
    : conv_(register_module(
          "conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, channels, 3).stride(2)))) {}

torch::Tensor DownsampleImpl::forward(const torch::Tensor& x) {
  return conv_(torch::constant_pad_nd(x, {0, 1, 0, 1}));  // left, right, above, below
}

UpsampleImpl::UpsampleImpl(int64_t channels)
    : conv_(register_module("conv", same_convolution(channels, channels))) {}

torch::Tensor UpsampleImpl::forward(const torch::Tensor& x) {
  return conv_(torch::upsample_nearest2d(x, {2 * x.size(2), 2 * x.size(3)}));
}

}  // namespace roundtrip
