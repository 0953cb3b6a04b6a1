#pragma once

#include <cstdint>

#include <torch/types.h>

#include "roundtrip/rollout/batch_scheduler.h"

namespace roundtrip {

/// The frames of one rollout in the order it meets them: known seed frames, then what was
/// predicted. A *position* counts frames of the rollout from 0; the frame's *index*, its location
/// in time, runs up or down from `first_index`. Depth i is the i-th predicted frame, at position
/// initial_frames + i - 1.
struct Rollout {
  torch::Tensor frames;        // (initial_frames + depth, F, h, w); predictions as they come
  int64_t initial_frames = 0;  // known frames, at least 1
  int64_t first_index = 0;     // of position 0
  int64_t direction = 1;       // +1: forward in time

  int64_t depth() const { return frames.size(0) - initial_frames; }
  int64_t index_of(int64_t position) const { return first_index + direction * position; }
  /// The frame at depth i; depth 0 is the newest seed frame.
  torch::Tensor at_depth(int64_t i) const { return frames[initial_frames + i - 1]; }
  /// Fills in depth i from the context of the forward leg that has just reached it.
  void reach(int64_t i, const torch::Tensor& context) { at_depth(i).copy_(context[-1]); }
};

/// A rollout from seed frames (K, F, h, w), with room for `depth` predictions.
Rollout make_rollout(const torch::Tensor& seed_frames, int64_t depth, int64_t first_index,
                     int64_t direction);

/// Goes on from depth `from` by `steps` steps: anchored at position 0, context of n frames padded
/// by the anchor where there are too few. The caller fills in the frames (Rollout::reach).
Leg forward_leg(const Rollout& rollout, int64_t contexts, int64_t from, int64_t steps);

/// Seed frames that a backward leg brings back: those in the context, or all when there are fewer.
int64_t initial_window(const Rollout& rollout, int64_t contexts);

/// Turns around at depth i and goes back `steps` steps (i of them return to the seed frames). It
/// sees the newest initial_window() frames at or after position `first_seen`; further slots of its
/// context hold its anchor, the frame at depth i, where it turns.
Leg backward_leg(const Rollout& rollout, int64_t contexts, int64_t depth, int64_t steps,
                 int64_t first_seen = 0);

/// From the seed frames as a backward leg brought them back, `returned` being its context after the
/// last step, forward once more by `steps` steps.
Leg third_leg(const Rollout& rollout, const torch::Tensor& returned, int64_t contexts,
              int64_t steps);

/// What a backward leg's context holds after some steps: frames of consecutive positions, the first
/// of them lowest, (n, F, h, w).
torch::Tensor in_rollout_order(const torch::Tensor& context);

}  // namespace roundtrip
