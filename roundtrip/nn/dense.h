#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

namespace roundtrip {

/// y = x W^T + b. Unlike torch::nn::Linear it draws nothing from torch's generator: weights are
/// zero until `initialise` or a file fills them.
class DenseImpl : public torch::nn::Module {
 public:
  DenseImpl(int64_t inputs, int64_t outputs);

  /// (..., inputs) -> (..., outputs), as one matrix product over all leading dimensions.
  torch::Tensor forward(const torch::Tensor& x);

  /// The outputs [first, first + count) alone: (..., inputs) -> (..., count).
  torch::Tensor forward_part(const torch::Tensor& x, int64_t first, int64_t count);

  torch::Tensor weight;  // (outputs, inputs)
  torch::Tensor bias;    // (outputs)
};
TORCH_MODULE(Dense);

}  // namespace roundtrip
