#include "roundtrip/rollout/rollout.h"

#include <algorithm>
#include <numeric>

#include "roundtrip/base/error.h"
#include "roundtrip/data/window.h"

namespace roundtrip {
namespace {

// Frames at the given positions, in that order.
torch::Tensor frames_at(const Rollout& rollout, const std::vector<int64_t>& positions) {
  return rollout.frames.index_select(0, torch::tensor(positions));
}

}  // namespace

Rollout make_rollout(const torch::Tensor& seed_frames, int64_t depth, int64_t first_index,
                     int64_t direction) {
  ensure(seed_frames.dim() == 4 && seed_frames.size(0) >= 1 && depth >= 0,
         "rollout: seed frames (K, F, h, w)");
  torch::Tensor frames = torch::zeros(
      {seed_frames.size(0) + depth, seed_frames.size(1), seed_frames.size(2), seed_frames.size(3)},
      seed_frames.options());
  frames.narrow(0, 0, seed_frames.size(0)).copy_(seed_frames);
  return {std::move(frames), seed_frames.size(0), first_index, direction};
}

Leg forward_leg(const Rollout& rollout, int64_t contexts, int64_t from, int64_t steps) {
  std::vector<int64_t> known(static_cast<size_t>(rollout.initial_frames + from));
  std::iota(known.begin(), known.end(), 0);
  return {.window = one_window(frames_at(rollout, padded_context(known, contexts, /*anchor=*/0)),
                               rollout.frames[0], rollout.index_of(rollout.initial_frames + from),
                               rollout.direction),
          .steps = steps};
}

int64_t initial_window(const Rollout& rollout, int64_t contexts) {
  return std::min(contexts, rollout.initial_frames);
}

Leg backward_leg(const Rollout& rollout, int64_t contexts, int64_t depth, int64_t steps,
                 int64_t first_seen) {
  const int64_t turn = rollout.initial_frames + depth - 1;
  const int64_t nearest = std::max(first_seen, turn + 1 - initial_window(rollout, contexts));
  std::vector<int64_t> seen;  // from the turn back to the nearest
  for (int64_t position = turn; position >= nearest; --position) seen.push_back(position);
  return {
      .window = one_window(frames_at(rollout, padded_context(seen, contexts, /*anchor=*/turn)),
                           rollout.frames[turn], rollout.index_of(nearest - 1), -rollout.direction),
      .steps = steps};
}

torch::Tensor in_rollout_order(const torch::Tensor& context) { return context.flip(0); }

Leg third_leg(const Rollout& rollout, const torch::Tensor& returned, int64_t contexts,
              int64_t steps) {
  const int64_t window = initial_window(rollout, contexts);
  const Rollout again =
      make_rollout(in_rollout_order(returned).narrow(0, 0, window), /*depth=*/0,
                   rollout.index_of(rollout.initial_frames - window), rollout.direction);
  return forward_leg(again, contexts, /*from=*/0, steps);
}

}  // namespace roundtrip
