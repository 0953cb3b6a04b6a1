#include "roundtrip/trust/forward_backward_forward.h"

namespace roundtrip {
namespace {

class ForwardBackwardForward final : public Signal {
 public:
  using Signal::Signal;

  void reached(int64_t depth) override {
    if (!run().recorded(depth)) return;
    const int64_t n = run().scheduler->stepper().contexts();
    run().ask_return(depth, depth, [=, this](int64_t step, const torch::Tensor& context) {
      if (step == depth) add_third(depth, n, context);
    });
  }

 private:
  void add_third(int64_t depth, int64_t n, const torch::Tensor& context) {
    Leg leg = third_leg(run().rollout, context, n, depth);
    leg.stepped = [this, depth](int64_t step, const torch::Tensor& found) {
      if (step < depth) return;
      run().record("fbf", depth, error().mse(found[-1], run().rollout.at_depth(depth)));
    };
    run().scheduler->add(std::move(leg));
  }
};

}  // namespace

std::unique_ptr<Signal> make_forward_backward_forward(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<ForwardBackwardForward>(setup, run);
}

}  // namespace roundtrip
