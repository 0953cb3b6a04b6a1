#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

namespace roundtrip {

/// Distances between latent frames over the channels that carry information, in double precision.
class LatentError {
 public:
  /// `live` are the channels that count (Codec::live_channels).
  explicit LatentError(const std::vector<int64_t>& live) : live_(torch::tensor(live)) {}

  /// Mean squared difference of two tensors (..., F, h, w) of the same shape.
  double mse(const torch::Tensor& a, const torch::Tensor& b) const;
  /// The entries that count of frames (m, F, h, w), as (m, entries) in double precision.
  torch::Tensor entries(const torch::Tensor& frames) const;

 private:
  torch::Tensor live_;
};

}  // namespace roundtrip
