#pragma once

#include <cstdint>

#include <torch/types.h>

#include "roundtrip/rollout/leg_pool.h"

namespace roundtrip {

/// The frames of one rollout in the order it meets them: known seeds, then what was predicted. A
/// *position* counts frames of the course from 0; the frame's *index*, its place in time, runs up
/// or down from `first_index`. Depth i is the i-th predicted frame, at position seeds + i - 1.
struct Course {
  torch::Tensor frames;     // (seeds + depth, F, h, w); predictions are filled in as they come
  int64_t seeds = 0;        // known frames, at least 1
  int64_t first_index = 0;  // of position 0
  int64_t direction = 1;    // +1: forward in time

  int64_t depth() const { return frames.size(0) - seeds; }
  int64_t index_of(int64_t position) const { return first_index + direction * position; }
  /// The frame at depth i; depth 0 is the newest seed.
  torch::Tensor at_depth(int64_t i) const { return frames[seeds + i - 1]; }
  /// Fills in depth i from the context of the onward leg that has just reached it.
  void reach(int64_t i, const torch::Tensor& context) { at_depth(i).copy_(context[-1]); }
};

/// A course from seeds (K, F, h, w), with room for `depth` predictions.
Course make_course(const torch::Tensor& seeds, int64_t depth, int64_t first_index,
                   int64_t direction);

/// Goes on from depth `from` by `steps` steps: anchored at position 0, context of n frames padded
/// by the anchor where there are too few. The caller fills in the frames (Course::reach).
Leg onward_leg(const Course& course, int64_t contexts, int64_t from, int64_t steps);

/// Seeds that a return leg brings back: those in the context, or all when there are fewer.
int64_t seed_window(const Course& course, int64_t contexts);

/// Turns around at depth i and goes back `steps` steps (i of them return to the seeds). It sees the
/// newest seed_window() frames at or after position `first_seen`; further slots of its context hold
/// its anchor, the frame at depth i, where it turns.
Leg return_leg(const Course& course, int64_t contexts, int64_t depth, int64_t steps,
               int64_t first_seen = 0);

/// From the seeds as a return leg brought them back, `returned` being its context after the last
/// step, onward again by `steps` steps.
Leg again_leg(const Course& course, const torch::Tensor& returned, int64_t contexts, int64_t steps);

/// What a return leg's context holds after some steps: frames of consecutive positions, the first
/// of them lowest, (n, F, h, w).
torch::Tensor in_course_order(const torch::Tensor& context);

}  // namespace roundtrip
