#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include "roundtrip/nn/dense.h"
#include "roundtrip/nn/feed_forward.h"
#include "roundtrip/nn/self_attention.h"

namespace roundtrip {

struct TransformerBlockOptions {
  int64_t width = 0;            // D
  int64_t heads = 1;            // divides the width
  int64_t condition_width = 0;  // C
  int64_t mlp_ratio = 4;        // hidden width of the feed-forward part, in widths
  bool qk_norm = false;         // normalise queries and keys per head
};

/// A pre-norm transformer block that a condition vector shifts, scales and gates (adaLN-Zero). With
/// `modulation` at zero, its start, the block is the identity.
class TransformerBlockImpl : public torch::nn::Module {
 public:
  explicit TransformerBlockImpl(const TransformerBlockOptions& options);

  /// x (B, T, D), condition (B, C), already through its non-linearity -> (B, tokens, D): the first
  /// `tokens` of the block's T outputs, at the price of those and of all T keys and values.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& condition, int64_t tokens);

  SelfAttention attention{nullptr};
  FeedForward mlp{nullptr};
  Dense modulation{nullptr};  // (shift, scale, gate) of attention, then of the feed-forward part
};
TORCH_MODULE(TransformerBlock);

}  // namespace roundtrip
