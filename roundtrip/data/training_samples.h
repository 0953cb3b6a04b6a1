#pragma once

#include <cstdint>
#include <vector>

#include "roundtrip/data/window.h"

namespace roundtrip {

/// How training windows are drawn.
struct SamplingOptions {
  int64_t contexts = 2;            // n, context frames of a window
  double p_bwd = 0.5;              // probability of a backward window
  double anchor_augmentation = 0;  // probability that the anchor is the start (forward) or the end
                                   // (backward) of a sub-trajectory instead of the whole one's
  bool full_windows = false;       // leave out windows that the anchor would have to fill up
  uint64_t seed = 0;               // of order, directions and anchors
};

/// One window to train on.
struct TrainingSample {
  int64_t trajectory = 0;
  Window window;

  bool operator==(const TrainingSample&) const = default;
};

/// The endless list of training samples. Sample i is a function of (seed, i) alone. An epoch shows
/// every step (trajectory, first), from frame `first` to `first + 1`, once, in an order of its own:
/// as a forward window with target first + 1 and anchor 0, or as a backward one with target `first`
/// and anchor T - 1. With full windows it shows every window of n + 1 frames once: as a forward one
/// with its last frame as the target, or as a backward one with its first. Memory: one number per
/// trajectory.
class TrainingSamples {
 public:
  /// `lengths`: frames of each trajectory, at least 2 each, n + 1 for full windows.
  TrainingSamples(const std::vector<int64_t>& lengths, const SamplingOptions& options);

  /// Samples in an epoch: the sum of T - 1, or of T - n with full windows.
  int64_t per_epoch() const { return first_step_.back(); }
  TrainingSample at(int64_t index) const;

 private:
  SamplingOptions options_;
  int64_t nearest_anchor_;           // frames between a target and the nearest possible anchor
  std::vector<int64_t> first_step_;  // of each trajectory among all steps, and the total
};

}  // namespace roundtrip
