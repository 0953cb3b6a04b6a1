#include "roundtrip/rollout/rollout.h"

#include <torch/utils.h>

namespace roundtrip {

void roll_out(std::vector<Course>& courses, Stepper& stepper, int64_t batch,
              const std::function<void(int64_t)>& advanced) {
  LegPool pool({&stepper}, batch);
  for (Course& course : courses) {
    if (course.depth() == 0) continue;
    Leg leg = onward_leg(course, stepper.contexts(), /*from=*/0, course.depth());
    leg.stepped = [&course](int64_t depth, const torch::Tensor& context) {
      course.reach(depth, context);
    };
    pool.add(std::move(leg));
  }
  pool.run(advanced);
}

FrameWindows roll_out(FrameWindows windows, Stepper& stepper, int64_t steps) {
  const torch::NoGradGuard no_grad;
  for (int64_t i = 0; i < steps; ++i) windows = windows.advanced(stepper.step(windows));
  return windows;
}

}  // namespace roundtrip
