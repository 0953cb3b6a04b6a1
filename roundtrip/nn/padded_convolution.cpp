#include "roundtrip/nn/padded_convolution.h"

#include <torch/types.h>
#include <torch/utils.h>

namespace roundtrip {

PaddedConvolutionImpl::PaddedConvolutionImpl(const PaddedConvolutionOptions& options)
    : options_(options),
      weight_(register_parameter("weight", torch::zeros({options.outputs, options.inputs, 3, 3}))),
      bias_(register_parameter("bias", torch::zeros({options.outputs}))) {}

torch::Tensor PaddedConvolutionImpl::forward(const torch::Tensor& x) {
  const int64_t d = options_.dilation;
  // Zeros need no copy of the image.
  const bool zeros = options_.padding == AxisPadding{};
  return torch::conv2d(zeros ? x : pad(x, d, options_.padding), weight_, bias_, /*stride=*/1,
                       /*padding=*/zeros ? d : 0, /*dilation=*/d);
}

void PaddedConvolutionImpl::initialise_as_zero() {
  const torch::NoGradGuard no_grad;
  weight_.zero_();
  bias_.zero_();
}

PatchMergeImpl::PatchMergeImpl(int64_t inputs, int64_t outputs)
    : weight_(register_parameter("weight", torch::zeros({outputs, inputs, 2, 2}))),
      bias_(register_parameter("bias", torch::zeros({outputs}))) {}

torch::Tensor PatchMergeImpl::forward(const torch::Tensor& x) {
  return torch::conv2d(x, weight_, bias_, /*stride=*/2);
}

PatchSplitImpl::PatchSplitImpl(int64_t inputs, int64_t outputs)
    : weight_(register_parameter("weight", torch::zeros({inputs, outputs, 2, 2}))),
      bias_(register_parameter("bias", torch::zeros({outputs}))) {}

torch::Tensor PatchSplitImpl::forward(const torch::Tensor& x) {
  return torch::conv_transpose2d(x, weight_, bias_, /*stride=*/2);
}

}  // namespace roundtrip
