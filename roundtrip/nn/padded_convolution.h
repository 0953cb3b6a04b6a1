#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include "roundtrip/nn/padding.h"

namespace roundtrip {

struct PaddedConvolutionOptions {
  int64_t inputs = 0;    // channels in
  int64_t outputs = 0;   // channels out
  int64_t dilation = 1;  // pixels between the taps
  AxisPadding padding;   // beyond the edges
};

/// A 3 x 3 convolution that keeps height and width. Draws nothing from torch's generator: weights
/// are zero until `initialise` or a file fills them. Keys: weight, bias.
class PaddedConvolutionImpl : public torch::nn::Module {
 public:
  explicit PaddedConvolutionImpl(const PaddedConvolutionOptions& options);
  /// (B, inputs, H, W) -> (B, outputs, H, W)
  torch::Tensor forward(const torch::Tensor& x);
  void initialise_as_zero();

 private:
  PaddedConvolutionOptions options_;
  torch::Tensor weight_;  // (outputs, inputs, 3, 3)
  torch::Tensor bias_;    // (outputs)
};
TORCH_MODULE(PaddedConvolution);

/// Halves height and width (both even): the four pixels of a 2 x 2 patch become one by a linear
/// map.
class PatchMergeImpl : public torch::nn::Module {
 public:
  PatchMergeImpl(int64_t inputs, int64_t outputs);
  /// (B, inputs, H, W) -> (B, outputs, H / 2, W / 2)
  torch::Tensor forward(const torch::Tensor& x);

 private:
  torch::Tensor weight_;  // (outputs, inputs, 2, 2)
  torch::Tensor bias_;    // (outputs)
};
TORCH_MODULE(PatchMerge);

/// Doubles height and width: one pixel becomes the four of a 2 x 2 patch by a linear map.
class PatchSplitImpl : public torch::nn::Module {
 public:
  PatchSplitImpl(int64_t inputs, int64_t outputs);
  /// (B, inputs, H, W) -> (B, outputs, 2 H, 2 W)
  torch::Tensor forward(const torch::Tensor& x);

 private:
  torch::Tensor weight_;  // (inputs, outputs, 2, 2)
  torch::Tensor bias_;    // (outputs)
};
TORCH_MODULE(PatchSplit);

}  // namespace roundtrip
