#include "roundtrip/trust/sample_course.h"

#include <utility>

namespace roundtrip {

SampleCourse::SampleCourse(MeasuredRun& run, size_t stepper,
                           std::function<void(int64_t depth)> there)
    : run_(run),
      stepper_(stepper),
      there_(std::move(there)),
      course_(make_course(run.course.frames.narrow(0, 0, run.course.seeds), run.course.depth(),
                          run.course.first_index, run.course.direction)) {}

void SampleCourse::follow(int64_t depth) {
  allowed_ = depth;
  if (under_way_ == done_) go_on();
}

void SampleCourse::go_on() {
  if (done_ == allowed_) return;
  under_way_ = allowed_;
  const int64_t from = done_;
  Leg leg = onward_leg(course_, run_.pool->stepper().contexts(), from, under_way_ - from);
  leg.stepper = stepper_;
  leg.stepped = [this, from](int64_t step, const torch::Tensor& context) {
    done_ = from + step;
    course_.reach(done_, context);
    there_(done_);
    if (done_ == under_way_) go_on();
  };
  run_.pool->add(std::move(leg));
}

}  // namespace roundtrip
