#pragma once

#include <cstdint>

#include <torch/types.h>

namespace roundtrip {

/// softmax(q k^T / sqrt(d)) v in each of `heads` heads, head h in columns [h d, (h + 1) d):
/// q (B, Q, D), k and v (B, T, D) -> (B, Q, D).
torch::Tensor attention(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                        int64_t heads);

/// The same with q, k and v side by side: (B, T, 3 D) -> (B, T, D).
torch::Tensor attention(const torch::Tensor& qkv, int64_t heads);

/// The same written with torch's own operations: for other devices, and what tests compare to.
torch::Tensor plain_attention(const torch::Tensor& q, const torch::Tensor& k,
                              const torch::Tensor& v, int64_t heads);

}  // namespace roundtrip
