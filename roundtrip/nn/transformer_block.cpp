// The adaLN-Zero block of Peebles & Xie 2023, "Scalable diffusion models with transformers".
#include "roundtrip/nn/transformer_block.h"

#include <torch/types.h>

#include "roundtrip/nn/modulation.h"

namespace roundtrip {

TransformerBlockImpl::TransformerBlockImpl(const TransformerBlockOptions& options)
    : attention(register_module("attention", SelfAttention(SelfAttentionOptions{
                                                 options.width, options.heads, options.qk_norm}))),
      mlp(register_module("mlp", FeedForward(options.width, options.mlp_ratio * options.width))),
      modulation(register_module("modulation", Dense(options.condition_width, 6 * options.width))) {
}

torch::Tensor TransformerBlockImpl::forward(const torch::Tensor& x, const torch::Tensor& condition,
                                            int64_t tokens) {
  const auto part = modulation(condition).chunk(6, /*dim=*/1);  // (B, D) each
  const torch::Tensor kept = tokens == x.size(1) ? x : x.narrow(/*dim=*/1, 0, tokens).contiguous();
  const torch::Tensor between =
      gated_residual(kept, attention(modulated_norm(x, part[0], part[1]), tokens), part[2]);
  return gated_residual(between, mlp(modulated_norm(between, part[3], part[4])), part[5]);
}

}  // namespace roundtrip
