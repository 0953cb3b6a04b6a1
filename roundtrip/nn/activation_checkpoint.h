#pragma once

#include <functional>

#include <torch/nn/module.h>
#include <torch/types.h>

namespace roundtrip {

/// Runs a layer without keeping what its gradient needs, and runs it again when the gradient is
/// asked for: memory of one layer instead of all, for one more forward pass.
///
/// `layer` maps `inputs` to one tensor, gives the same bits each time, and uses no trained tensors
/// but those of `module`, which outlives the gradient. Gradients reach inputs and parameters.
torch::Tensor checkpointed(
    torch::nn::Module& module, const std::vector<torch::Tensor>& inputs,
    const std::function<torch::Tensor(const std::vector<torch::Tensor>&)>& layer);

}  // namespace roundtrip
