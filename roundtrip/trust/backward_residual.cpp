#include "roundtrip/trust/backward_residual.h"

#include <cmath>

namespace roundtrip {
namespace {

class BackwardResidual final : public Signal {
 public:
  using Signal::Signal;

  void begin() override {
    const int64_t n = run().scheduler->stepper().contexts();
    const int64_t window = initial_window(run().rollout, n);
    const Rollout truth{run().truth, run().rollout.initial_frames, run().rollout.first_index,
                        run().rollout.direction};
    for (const int64_t depth : run().depths) {
      Leg leg = backward_leg(truth, n, depth, depth);
      leg.stepped = [this, depth, window](int64_t step, const torch::Tensor& context) {
        if (step < depth) return;
        const double squared = error().mse(
            in_rollout_order(context).narrow(0, 0, window),
            run().rollout.frames.narrow(0, run().rollout.initial_frames - window, window));
        run().record("delta", depth, std::sqrt(squared));
      };
      run().scheduler->add(std::move(leg));
    }
  }
};

}  // namespace

std::unique_ptr<Signal> make_backward_residual(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<BackwardResidual>(setup, run);
}

}  // namespace roundtrip
