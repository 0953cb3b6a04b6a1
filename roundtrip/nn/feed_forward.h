#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include "roundtrip/nn/dense.h"

namespace roundtrip {

/// GELU in its tanh form: x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. `x` must be nobody
/// else's: where no gradient is recorded the result takes its memory.
torch::Tensor gelu_tanh(torch::Tensor x);

/// Two matrices with GELU between them: width -> hidden -> width.
class FeedForwardImpl : public torch::nn::Module {
 public:
  FeedForwardImpl(int64_t width, int64_t hidden);

  /// (..., width) -> (..., width)
  torch::Tensor forward(const torch::Tensor& x);

  Dense fc1{nullptr}, fc2{nullptr};
};
TORCH_MODULE(FeedForward);

}  // namespace roundtrip
