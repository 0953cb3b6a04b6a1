#include "roundtrip/trust/signal.h"

#include <algorithm>
#include <utility>

#include "roundtrip/base/error.h"
#include "roundtrip/trust/signals.h"

namespace roundtrip {

bool MeasuredRun::recorded(int64_t depth) const {
  return std::binary_search(depths.begin(), depths.end(), depth);
}

void MeasuredRun::ask_return(int64_t depth, int64_t steps,
                             std::function<void(int64_t, const torch::Tensor&)> stepped) {
  ensure(asked_.empty() || asked_depth_ == depth, "a return is asked for at the depth reached");
  asked_depth_ = depth;
  asked_.push_back({steps, std::move(stepped)});
}

void MeasuredRun::start_return() {
  if (asked_.empty()) return;
  int64_t steps = 0;
  for (const Asked& asked : asked_) steps = std::max(steps, asked.steps);
  Leg leg = backward_leg(rollout, scheduler->stepper().contexts(), asked_depth_, steps);
  leg.stepped = [all = std::exchange(asked_, {})](int64_t step, const torch::Tensor& context) {
    for (const Asked& asked : all) {
      if (step <= asked.steps) asked.stepped(step, context);
    }
  };
  scheduler->add(std::move(leg));
}

Signal::Signal(const SignalSetup& setup, MeasuredRun& run)
    : setup_(setup), run_(run), error_(setup.live) {}

ReturnedError Signal::returned_error(const Rollout& rollout, int64_t depth,
                                     const torch::Tensor& context) const {
  const int64_t window = initial_window(rollout, run_.scheduler->stepper().contexts());
  const int64_t made = std::min(depth, window);
  const double mean = error_.mse(in_rollout_order(context).narrow(0, 0, made),
                                 rollout.frames.narrow(0, rollout.initial_frames - window, made));
  return {.over_seed_frames = mean * static_cast<double>(made) / static_cast<double>(window),
          .over_regenerated = mean};
}

}  // namespace roundtrip
