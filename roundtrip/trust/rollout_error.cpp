#include "roundtrip/trust/rollout_error.h"

namespace roundtrip {
namespace {

class RolloutError final : public Signal {
 public:
  using Signal::Signal;

  void reached(int64_t depth) override {
    if (!run().recorded(depth)) return;
    const double here = at(depth);
    const double before = depth > 1 ? at(depth - 1) : 0;
    run().record("E", depth, here);
    run().record("E_pair", depth, (before + here) / 2);
  }

 private:
  double at(const int64_t depth) const {
    return error().mse(run().rollout.at_depth(depth),
                       run().truth[run().rollout.initial_frames + depth - 1]);
  }
};

}  // namespace

std::unique_ptr<Signal> make_rollout_error(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<RolloutError>(setup, run);
}

}  // namespace roundtrip
