#pragma once

#include <cstdint>

#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/types.h>

namespace roundtrip {

struct SpatialAttentionOptions {
  int64_t channels = 0;
  int64_t heads = 1;    // must divide the channels; the parameters do not depend on it
  int64_t groups = 32;  // of the normalisation
};

/// Self-attention among the cells of an image, added to it: x + out(attend(norm(x))). Keys as in
/// diffusers: group_norm, to_q, to_k, to_v, to_out.0.
class SpatialAttentionImpl : public torch::nn::Module {
 public:
  explicit SpatialAttentionImpl(const SpatialAttentionOptions& options);
  /// x (batch, channels, height, width); the same shape comes back.
  torch::Tensor forward(const torch::Tensor& x);

 private:
  int64_t heads_ = 1;
  torch::nn::GroupNorm norm_{nullptr};
  torch::nn::Linear query_{nullptr}, key_{nullptr}, value_{nullptr}, out_{nullptr};
};
TORCH_MODULE(SpatialAttention);

}  // namespace roundtrip
