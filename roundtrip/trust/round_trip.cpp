#include "roundtrip/trust/round_trip.h"

#include <algorithm>

namespace roundtrip {
namespace {

class RoundTrip final : public Signal {
 public:
  using Signal::Signal;

  void reached(int64_t depth) override {
    if (!run().recorded(depth)) return;
    const int64_t n = run().scheduler->stepper().contexts();
    const int64_t window = initial_window(run().rollout, n);
    const int64_t made = std::min(depth, window);  // seed frames the leg regenerates
    run().ask_return(depth, depth, [=, this](int64_t step, const torch::Tensor& context) {
      if (step < depth) return;
      const ReturnedError found = returned_error(run().rollout, depth, context);
      run().record("C", depth, found.over_seed_frames);
      run().record("C_regenerated", depth, found.over_regenerated);
      // With n predicted frames to see there is nothing to withhold.
      if (made == window) run().record("C_leakfree", depth, found.over_regenerated);
    });
    if (made < window) add_leak_free(depth, n);
  }

 private:
  // It sees `depth` predicted frames, so its steps regenerate the newest seed frames.
  void add_leak_free(int64_t depth, int64_t n) {
    Leg leg =
        backward_leg(run().rollout, n, depth, depth, /*first_seen=*/run().rollout.initial_frames);
    leg.stepped = [this, depth](int64_t step, const torch::Tensor& context) {
      if (step < depth) return;
      const Rollout& rollout = run().rollout;
      run().record("C_leakfree", depth,
                   error().mse(in_rollout_order(context).narrow(0, 0, depth),
                               rollout.frames.narrow(0, rollout.initial_frames - depth, depth)));
    };
    run().scheduler->add(std::move(leg));
  }
};

}  // namespace

std::unique_ptr<Signal> make_round_trip(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<RoundTrip>(setup, run);
}

}  // namespace roundtrip
