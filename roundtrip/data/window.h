#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace roundtrip {

/// Which frames of a trajectory a prediction sees, and which one it predicts.
struct Window {
  std::vector<int64_t> context;  // farthest to nearest
  int64_t anchor = 0;            // where this trajectory, or the leg of a rollout, starts
  int64_t target = 0;
  int direction = 1;  // +1: the target follows its context in time, -1: it precedes it

  bool operator==(const Window&) const = default;
};

/// The window of `contexts` frames for a target: the nearest is target - direction, the j-th
/// nearest target - direction * j; slots beyond the anchor hold the anchor. The anchor lies at
/// least one frame before the target, in the direction's sense.
Window window_at(int64_t target, int direction, int64_t contexts, int64_t anchor);

/// The newest `contexts` of the known frames (farthest to nearest), in front of them the anchor
/// where there are too few: the context a rollout starts with.
std::vector<int64_t> padded_context(std::span<const int64_t> known, int64_t contexts,
                                    int64_t anchor);

}  // namespace roundtrip
