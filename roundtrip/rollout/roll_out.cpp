#include "roundtrip/rollout/roll_out.h"

#include <torch/utils.h>

namespace roundtrip {

void roll_out(std::vector<Rollout>& rollouts, Stepper& stepper, int64_t batch,
              const std::function<void(int64_t)>& advanced) {
  BatchScheduler scheduler({&stepper}, batch);
  for (Rollout& rollout : rollouts) {
    if (rollout.depth() == 0) continue;
    Leg leg = forward_leg(rollout, stepper.contexts(), /*from=*/0, rollout.depth());
    leg.stepped = [&rollout](int64_t depth, const torch::Tensor& context) {
      rollout.reach(depth, context);
    };
    scheduler.add(std::move(leg));
  }
  scheduler.run(advanced);
}

FrameWindows roll_out(FrameWindows windows, Stepper& stepper, int64_t steps) {
  const torch::NoGradGuard no_grad;
  for (int64_t i = 0; i < steps; ++i) windows = windows.advanced(stepper.step(windows));
  return windows;
}

}  // namespace roundtrip
