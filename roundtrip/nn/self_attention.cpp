#include "roundtrip/nn/self_attention.h"

#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/nn/attention.h"
#include "roundtrip/nn/modulation.h"

namespace roundtrip {

SelfAttentionImpl::SelfAttentionImpl(const SelfAttentionOptions& options)
    : qkv(register_module("qkv", Dense(options.width, 3 * options.width))),
      proj(register_module("proj", Dense(options.width, options.width))),
      options_(options) {
  ensure(options.heads > 0 && options.width % options.heads == 0, "heads divide the width");
}

torch::Tensor SelfAttentionImpl::normed_heads(const torch::Tensor& x) const {
  const int64_t size = options_.width / options_.heads;
  return torch::layer_norm(x.unflatten(/*dim=*/2, {options_.heads, size}), {size}, {}, {},
                           kNormEpsilon)
      .flatten(/*start_dim=*/2);
}

torch::Tensor SelfAttentionImpl::forward(const torch::Tensor& x, int64_t queries) {
  const int64_t width = options_.width;
  if (queries == x.size(1) && !options_.qk_norm) {
    return proj(attention(qkv(x), options_.heads));
  }
  torch::Tensor q, k, v;
  if (queries == x.size(1)) {
    const auto parts = qkv(x).chunk(3, /*dim=*/2);
    q = parts[0], k = parts[1], v = parts[2];
  } else {
    q = qkv->forward_part(x.narrow(/*dim=*/1, 0, queries), 0, width);
    const auto parts = qkv->forward_part(x, width, 2 * width).chunk(2, /*dim=*/2);
    k = parts[0], v = parts[1];
  }
  if (options_.qk_norm) q = normed_heads(q), k = normed_heads(k);
  return proj(attention(q, k, v, options_.heads));
}

}  // namespace roundtrip
