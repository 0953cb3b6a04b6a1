#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include "roundtrip/nn/dense.h"

namespace roundtrip {

struct SelfAttentionOptions {
  int64_t width = 0;     // D
  int64_t heads = 1;     // divides the width
  bool qk_norm = false;  // LayerNorm without weights over each head of q and k: bounded logits
};

/// Multi-head self-attention with one matrix for queries, keys and values (rows in that order).
class SelfAttentionImpl : public torch::nn::Module {
 public:
  explicit SelfAttentionImpl(const SelfAttentionOptions& options);

  /// (B, T, D) -> (B, queries, D): the first `queries` tokens look at all T.
  torch::Tensor forward(const torch::Tensor& x, int64_t queries);

  Dense qkv{nullptr}, proj{nullptr};

 private:
  torch::Tensor normed_heads(const torch::Tensor& x) const;  // (B, T, D), per head

  SelfAttentionOptions options_;
};
TORCH_MODULE(SelfAttention);

}  // namespace roundtrip
