#pragma once

#include <cstdint>

#include <torch/types.h>

namespace roundtrip {

/// LayerNorm's epsilon in every transformer layer here.
inline constexpr double kNormEpsilon = 1e-6;

/// LayerNorm over the last dimension without weights, then a scale and a shift per row of the
/// batch: norm(x) (1 + scale) + shift. x (B, T, D); shift, scale (B, D), last dimension dense.
torch::Tensor modulated_norm(const torch::Tensor& x, const torch::Tensor& shift,
                             const torch::Tensor& scale);

/// x + gate * y. x, y (B, T, D); gate (B, D), last dimension dense. `y` must be nobody else's:
/// where no gradient is recorded the sum takes its memory.
torch::Tensor gated_residual(const torch::Tensor& x, torch::Tensor y, const torch::Tensor& gate);

/// The same two written with torch's own operations: for other devices, and what tests compare to.
torch::Tensor plain_modulated_norm(const torch::Tensor& x, const torch::Tensor& shift,
                                   const torch::Tensor& scale);
torch::Tensor plain_gated_residual(const torch::Tensor& x, const torch::Tensor& y,
                                   const torch::Tensor& gate);

}  // namespace roundtrip
