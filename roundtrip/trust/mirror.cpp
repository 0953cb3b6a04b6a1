#include "roundtrip/trust/mirror.h"

namespace roundtrip {
namespace {

class Mirror final : public Signal {
 public:
  using Signal::Signal;

  void begin() override {
    const int64_t n = run().pool->stepper().contexts();
    const int64_t seeds = run().course.seeds;
    const torch::Tensor backward = run().truth.flip(0);
    const int64_t last = run().course.first_index + run().truth.size(0) - 1;
    const int64_t depth = std::min(run().depths.back(), run().truth.size(0) - seeds);
    auto course = std::make_shared<Course>(
        make_course(backward.narrow(0, 0, seeds), depth, last, /*direction=*/-1));
    Leg leg = onward_leg(*course, n, /*from=*/0, depth);
    leg.stepped = [this, course, backward](int64_t step, const torch::Tensor& context) {
      course->reach(step, context);
      if (!run().recorded(step)) return;
      run().record("E_back", step,
                   error().mse(course->at_depth(step), backward[course->seeds + step - 1]));
      add_return(course, step);
    };
    run().pool->add(std::move(leg));
  }

 private:
  void add_return(const std::shared_ptr<Course>& course, int64_t depth) {
    const int64_t n = run().pool->stepper().contexts();
    Leg leg = return_leg(*course, n, depth, depth);
    leg.stepped = [this, course, depth](int64_t step, const torch::Tensor& context) {
      if (step < depth) return;
      run().record("C_back", depth, returned_error(*course, depth, context).over_seeds);
    };
    run().pool->add(std::move(leg));
  }
};

}  // namespace

std::unique_ptr<Signal> make_mirror(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<Mirror>(setup, run);
}

}  // namespace roundtrip
