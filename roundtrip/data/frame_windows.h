#pragma once

#include <cstdint>

#include <torch/types.h>

namespace roundtrip {

/// Windows of frames as one step of a model sees them, one per row: the frames of a Window.
struct FrameWindows {
  torch::Tensor context;  // (B, n, F, h, w), farthest to nearest
  torch::Tensor anchor;   // (B, F, h, w), where the trajectory, or the leg of a rollout, starts
  torch::Tensor target_index;  // (B) int64, the frame to predict
  torch::Tensor direction;     // (B) int64, +1 or -1

  int64_t rows() const { return context.size(0); }
  int64_t contexts() const { return context.size(1); }
  /// The frames next to the targets, (B, F, h, w).
  torch::Tensor nearest() const { return context.select(1, -1); }
  /// Views of `count` rows from `first` on.
  FrameWindows narrow(int64_t first, int64_t count) const;
  /// The same windows with frames of `type`, on `device`.
  FrameWindows to(torch::ScalarType type, torch::Device device = torch::kCPU) const;
  /// Takes over the values of as many other windows.
  void copy_(const FrameWindows& other);

  /// The windows one step on: the farthest frames leave, `next` (B, F, h, w) become the nearest.
  FrameWindows advanced(const torch::Tensor& next) const;
  /// The same in the windows' own memory.
  void advance(const torch::Tensor& next);
};

/// One row, of a context (n, F, h, w) and an anchor (F, h, w).
FrameWindows one_window(const torch::Tensor& context, const torch::Tensor& anchor,
                        int64_t target_index, int64_t direction);

}  // namespace roundtrip
