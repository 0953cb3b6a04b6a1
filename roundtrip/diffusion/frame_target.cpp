// Neighbouring frames differ little, so most of a frame is known from its context: generating the
// scaled change spends the network's accuracy on what is not.
#include "roundtrip/diffusion/frame_target.h"

#include <utility>

#include <fmt/format.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"

namespace roundtrip {

const Registry<FrameTargetEntry>& frame_targets() {
  static const Registry<FrameTargetEntry> rows = {
      {"frame", "the next frame", FrameTarget::frame},
      {"delta", "the change from the nearest context frame, scaled to unit variance per channel",
       FrameTarget::delta},
  };
  return rows;
}

TargetMap::TargetMap(FrameTarget target, std::vector<double> delta_std)
    : target_(target), delta_std_(std::move(delta_std)) {
  if (target == FrameTarget::delta && delta_std_.empty()) {
    throw Error("target", "delta_std: expected one number per channel, found none");
  }
  for (size_t channel = 0; channel < delta_std_.size(); ++channel) {
    // Written so that NaN is refused too.
    if (!(delta_std_[channel] > 0)) {
      throw Error("target", fmt::format("delta_std of channel {}: expected a positive number, "
                                        "found {}; give a channel that never changes as 1",
                                        channel, delta_std_[channel]));
    }
  }
}

torch::Tensor TargetMap::scale(const torch::Tensor& like) const {
  const int64_t channels = static_cast<int64_t>(delta_std_.size());
  ensure(like.dim() == 4 && like.size(1) == channels,
         "TargetMap: expected frames (B, F, h, w) with one delta_std per channel");
  return torch::tensor(delta_std_, torch::kFloat64)
      .to(like.device(), like.scalar_type())
      .view({1, channels, 1, 1});
}

torch::Tensor TargetMap::to_target(const torch::Tensor& next, const torch::Tensor& nearest) const {
  if (target_ == FrameTarget::frame) return next;
  return (next - nearest) / scale(next);
}

torch::Tensor TargetMap::to_frame(const torch::Tensor& x0, const torch::Tensor& nearest) const {
  if (target_ == FrameTarget::frame) return x0;
  return nearest + scale(x0) * x0;
}

}  // namespace roundtrip
