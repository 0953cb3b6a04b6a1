#include "roundtrip/trust/sample_rollout.h"

#include <utility>

namespace roundtrip {

SampleRollout::SampleRollout(MeasuredRun& run, size_t stepper,
                             std::function<void(int64_t depth)> there)
    : run_(run),
      stepper_(stepper),
      there_(std::move(there)),
      rollout_(make_rollout(run.rollout.frames.narrow(0, 0, run.rollout.initial_frames),
                            run.rollout.depth(), run.rollout.first_index, run.rollout.direction)) {}

void SampleRollout::follow(int64_t depth) {
  allowed_ = depth;
  if (under_way_ == done_) go_on();
}

void SampleRollout::go_on() {
  if (done_ == allowed_) return;
  under_way_ = allowed_;
  const int64_t from = done_;
  Leg leg = forward_leg(rollout_, run_.scheduler->stepper().contexts(), from, under_way_ - from);
  leg.stepper = stepper_;
  leg.stepped = [this, from](int64_t step, const torch::Tensor& context) {
    done_ = from + step;
    rollout_.reach(done_, context);
    there_(done_);
    if (done_ == under_way_) go_on();
  };
  run_.scheduler->add(std::move(leg));
}

}  // namespace roundtrip
