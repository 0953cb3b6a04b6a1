#include "roundtrip/trust/backward_residual.h"

#include <cmath>

namespace roundtrip {
namespace {

class BackwardResidual final : public Signal {
 public:
  using Signal::Signal;

  void begin() override {
    const int64_t n = run().pool->stepper().contexts();
    const int64_t window = seed_window(run().course, n);
    const Course truth{run().truth, run().course.seeds, run().course.first_index,
                       run().course.direction};
    for (const int64_t depth : run().depths) {
      Leg leg = return_leg(truth, n, depth, depth);
      leg.stepped = [this, depth, window](int64_t step, const torch::Tensor& context) {
        if (step < depth) return;
        const double squared =
            error().mse(in_course_order(context).narrow(0, 0, window),
                        run().course.frames.narrow(0, run().course.seeds - window, window));
        run().record("delta", depth, std::sqrt(squared));
      };
      run().pool->add(std::move(leg));
    }
  }
};

}  // namespace

std::unique_ptr<Signal> make_backward_residual(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<BackwardResidual>(setup, run);
}

}  // namespace roundtrip
