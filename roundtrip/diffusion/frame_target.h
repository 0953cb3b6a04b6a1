#pragma once

#include <string_view>
#include <vector>

#include <torch/types.h>

#include "roundtrip/base/catalog.h"

namespace roundtrip {

/// What the diffusion generates: the next frame itself, or its change from the nearest context.
enum class FrameTarget { frame, delta };

using FrameTargetRow = ChoiceRow<FrameTarget>;

/// All targets, the paper's first.
const Catalog<FrameTargetRow>& frame_targets();

/// Maps a frame to what the diffusion generates (x0) and back. Frames are (B, F, h, w).
class TargetMap {
 public:
  /// `delta_std` holds per channel the standard deviation of next - nearest over the training set;
  /// `frame` needs none. A channel that never changes (a collapsed one) should be given as 1.
  explicit TargetMap(FrameTarget target, std::vector<double> delta_std = {});

  FrameTarget target() const { return target_; }
  const std::vector<double>& delta_std() const { return delta_std_; }

  /// `frame`: next. `delta`: (next - nearest) / delta_std.
  torch::Tensor to_target(const torch::Tensor& next, const torch::Tensor& nearest) const;
  /// The inverse: the next frame from a generated x0.
  torch::Tensor to_frame(const torch::Tensor& x0, const torch::Tensor& nearest) const;

 private:
  torch::Tensor scale(const torch::Tensor& like) const;

  FrameTarget target_;
  std::vector<double> delta_std_;
};

}  // namespace roundtrip
