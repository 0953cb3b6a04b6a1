#include "roundtrip/rollout/course.h"

#include <algorithm>
#include <numeric>

#include "roundtrip/base/error.h"
#include "roundtrip/data/window.h"

namespace roundtrip {
namespace {

// Frames at the given positions, in that order.
torch::Tensor frames_at(const Course& course, const std::vector<int64_t>& positions) {
  return course.frames.index_select(0, torch::tensor(positions));
}

}  // namespace

Course make_course(const torch::Tensor& seeds, int64_t depth, int64_t first_index,
                   int64_t direction) {
  ensure(seeds.dim() == 4 && seeds.size(0) >= 1 && depth >= 0, "course: seeds (K, F, h, w)");
  torch::Tensor frames = torch::zeros(
      {seeds.size(0) + depth, seeds.size(1), seeds.size(2), seeds.size(3)}, seeds.options());
  frames.narrow(0, 0, seeds.size(0)).copy_(seeds);
  return {std::move(frames), seeds.size(0), first_index, direction};
}

Leg onward_leg(const Course& course, int64_t contexts, int64_t from, int64_t steps) {
  std::vector<int64_t> known(static_cast<size_t>(course.seeds + from));
  std::iota(known.begin(), known.end(), 0);
  return {.window =
              one_window(frames_at(course, padded_context(known, contexts, /*anchor=*/0)),
                         course.frames[0], course.index_of(course.seeds + from), course.direction),
          .steps = steps};
}

int64_t seed_window(const Course& course, int64_t contexts) {
  return std::min(contexts, course.seeds);
}

Leg return_leg(const Course& course, int64_t contexts, int64_t depth, int64_t steps,
               int64_t first_seen) {
  const int64_t turn = course.seeds + depth - 1;
  const int64_t nearest = std::max(first_seen, turn + 1 - seed_window(course, contexts));
  std::vector<int64_t> seen;  // from the turn back to the nearest
  for (int64_t position = turn; position >= nearest; --position) seen.push_back(position);
  return {
      .window = one_window(frames_at(course, padded_context(seen, contexts, /*anchor=*/turn)),
                           course.frames[turn], course.index_of(nearest - 1), -course.direction),
      .steps = steps};
}

torch::Tensor in_course_order(const torch::Tensor& context) { return context.flip(0); }

Leg again_leg(const Course& course, const torch::Tensor& returned, int64_t contexts,
              int64_t steps) {
  const int64_t window = seed_window(course, contexts);
  const Course again = make_course(in_course_order(returned).narrow(0, 0, window), /*depth=*/0,
                                   course.index_of(course.seeds - window), course.direction);
  return onward_leg(again, contexts, /*from=*/0, steps);
}

}  // namespace roundtrip
