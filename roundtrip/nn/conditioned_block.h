#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include "roundtrip/nn/dense.h"
#include "roundtrip/nn/padded_convolution.h"

namespace roundtrip {

struct ConditionedBlockOptions {
  int64_t channels = 0;
  int64_t condition = 0;  // size of the condition
  int64_t dilation = 1;   // of both convolutions
  AxisPadding padding;    // beyond the edges
};

/// x + conv(FiLM(SiLU(conv(x)))), without normalisation: amplitudes carry physics.
class ConditionedBlockImpl : public torch::nn::Module {
 public:
  explicit ConditionedBlockImpl(const ConditionedBlockOptions& options);
  /// x (B, channels, H, W), condition (B, condition size); the shape of x.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& condition);
  /// Zero modulation and second convolution: the block adds nothing.
  void initialise_as_identity();

 private:
  PaddedConvolution conv1_{nullptr}, conv2_{nullptr};
  Dense film_{nullptr};
};
TORCH_MODULE(ConditionedBlock);

}  // namespace roundtrip
