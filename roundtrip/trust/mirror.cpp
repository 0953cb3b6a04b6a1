#include "roundtrip/trust/mirror.h"

namespace roundtrip {
namespace {

class Mirror final : public Signal {
 public:
  using Signal::Signal;

  void begin() override {
    const int64_t n = run().scheduler->stepper().contexts();
    const int64_t initial_frames = run().rollout.initial_frames;
    const torch::Tensor backward = run().truth.flip(0);
    const int64_t last = run().rollout.first_index + run().truth.size(0) - 1;
    const int64_t depth = std::min(run().depths.back(), run().truth.size(0) - initial_frames);
    auto rollout = std::make_shared<Rollout>(
        make_rollout(backward.narrow(0, 0, initial_frames), depth, last, /*direction=*/-1));
    Leg leg = forward_leg(*rollout, n, /*from=*/0, depth);
    leg.stepped = [this, rollout, backward](int64_t step, const torch::Tensor& context) {
      rollout->reach(step, context);
      if (!run().recorded(step)) return;
      run().record(
          "E_back", step,
          error().mse(rollout->at_depth(step), backward[rollout->initial_frames + step - 1]));
      add_return(rollout, step);
    };
    run().scheduler->add(std::move(leg));
  }

 private:
  void add_return(const std::shared_ptr<Rollout>& rollout, int64_t depth) {
    const int64_t n = run().scheduler->stepper().contexts();
    Leg leg = backward_leg(*rollout, n, depth, depth);
    leg.stepped = [this, rollout, depth](int64_t step, const torch::Tensor& context) {
      if (step < depth) return;
      run().record("C_back", depth, returned_error(*rollout, depth, context).over_seed_frames);
    };
    run().scheduler->add(std::move(leg));
  }
};

}  // namespace

std::unique_ptr<Signal> make_mirror(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<Mirror>(setup, run);
}

}  // namespace roundtrip
