#include "roundtrip/trust/averaged_cycle.h"

#include <map>

#include "roundtrip/trust/sample_rollout.h"

namespace roundtrip {
namespace {

class AveragedCycle final : public Signal {
 public:
  AveragedCycle(const SignalSetup& setup, MeasuredRun& run) : Signal(setup, run) {
    for (int64_t sample = 1; sample < setup.samples; ++sample) {
      const size_t place = others_.size();
      const auto there = [this, place](int64_t depth) {
        if (this->run().recorded(depth)) {
          turn_around(others_[place]->rollout(), depth, others_[place]->stepper());
        }
      };
      others_.push_back(std::make_unique<SampleRollout>(
          run, setup.stepper_of(sample, /*ancestral=*/false), there));
    }
  }

  void reached(int64_t depth) override {
    if (run().recorded(depth)) {
      run().ask_return(depth, depth, [=, this](int64_t step, const torch::Tensor& context) {
        if (step == depth) add(depth, /*stepper=*/0, context);
      });
    }
    for (const auto& other : others_) other->follow(depth);
  }

 private:
  using Cycles = std::map<size_t, double>;  // by stepper: the order of arrival does not matter

  void turn_around(const Rollout& rollout, int64_t depth, size_t stepper) {
    Leg leg = backward_leg(rollout, run().scheduler->stepper().contexts(), depth, depth);
    leg.stepper = stepper;
    leg.stepped = [=, this](int64_t step, const torch::Tensor& context) {
      if (step == depth) add(depth, stepper, context);
    };
    run().scheduler->add(std::move(leg));
  }

  void add(int64_t depth, size_t stepper, const torch::Tensor& context) {
    Cycles& cycles = cycles_[depth];
    cycles[stepper] = returned_error(run().rollout, depth, context).over_seed_frames;
    if (cycles.size() < others_.size() + 1) return;
    double sum = 0;
    for (const auto& [key, value] : cycles) sum += value;
    run().record("C_averaged", depth, sum / static_cast<double>(cycles.size()));
  }

  std::vector<std::unique_ptr<SampleRollout>> others_;
  std::map<int64_t, Cycles> cycles_;  // by depth
};

}  // namespace

std::unique_ptr<Signal> make_averaged_cycle(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<AveragedCycle>(setup, run);
}

}  // namespace roundtrip
