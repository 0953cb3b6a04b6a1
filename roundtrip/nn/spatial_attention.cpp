// Every cell is a token of one image; with a few hundred cells the (cells, cells) weights are
// small enough to hold.
#include "roundtrip/nn/spatial_attention.h"

#include <cmath>

#include <fmt/format.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/nn/residual_block.h"

namespace roundtrip {

SpatialAttentionImpl::SpatialAttentionImpl(const SpatialAttentionOptions& options)
    : heads_(options.heads) {
  const int64_t channels = options.channels;
  if (heads_ < 1 || channels % heads_ != 0) {
    throw Error("codec", fmt::format("expected heads that divide the {} channels of the attention, "
                                     "found {}",
                                     channels, heads_));
  }
  norm_ = register_module("group_norm", group_norm(options.groups, channels));
  query_ = register_module("to_q", torch::nn::Linear(channels, channels));
  key_ = register_module("to_k", torch::nn::Linear(channels, channels));
  value_ = register_module("to_v", torch::nn::Linear(channels, channels));
  out_ = torch::nn::Linear(channels, channels);
  register_module("to_out", torch::nn::ModuleList(out_));
}

torch::Tensor SpatialAttentionImpl::forward(const torch::Tensor& x) {
  const int64_t batch = x.size(0), channels = x.size(1), cells = x.size(2) * x.size(3);
  const int64_t width = channels / heads_;
  const auto split = [&](const torch::Tensor& tokens) {  // (batch, heads, cells, width)
    return tokens.view({batch, cells, heads_, width}).transpose(1, 2);
  };
  const torch::Tensor tokens = norm_(x).flatten(/*start_dim=*/2).transpose(1, 2).contiguous();
  const torch::Tensor scaled = split(query_(tokens)) / std::sqrt(static_cast<double>(width));
  const torch::Tensor weights =
      torch::matmul(scaled, split(key_(tokens)).transpose(-2, -1)).softmax(/*dim=*/-1);
  const torch::Tensor seen = torch::matmul(weights, split(value_(tokens)));
  const torch::Tensor merged = seen.transpose(1, 2).reshape({batch, cells, channels});
  return x + out_(merged).transpose(1, 2).reshape(x.sizes());
}

}  // namespace roundtrip
