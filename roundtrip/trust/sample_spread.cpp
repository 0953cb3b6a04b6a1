#include "roundtrip/trust/sample_spread.h"

#include "roundtrip/trust/sample_rollout.h"

namespace roundtrip {
namespace {

class SampleSpread final : public Signal {
 public:
  SampleSpread(const SignalSetup& setup, MeasuredRun& run, bool ancestral)
      : Signal(setup, run), column_(ancestral ? "spread_ancestral" : "spread_seed") {
    // With initial noises alone, the run is the first sample.
    for (int64_t sample = ancestral ? 0 : 1; sample < setup.samples; ++sample) {
      const auto there = [this](int64_t depth) { record(depth); };
      others_.push_back(
          std::make_unique<SampleRollout>(run, setup.stepper_of(sample, ancestral), there));
    }
    arrived_.assign(static_cast<size_t>(run.rollout.depth()), 0);
    counts_run_ = !ancestral;
  }

  void reached(int64_t depth) override {
    for (const auto& other : others_) other->follow(depth);
  }

 private:
  // A depth is complete when the last sample has come there.
  void record(int64_t depth) {
    size_t& arrived = arrived_[static_cast<size_t>(depth - 1)];
    if (++arrived < others_.size() || !run().recorded(depth)) return;
    std::vector<torch::Tensor> frames;
    if (counts_run_) frames.push_back(error().entries(run().rollout.at_depth(depth)));
    for (const auto& other : others_) {
      frames.push_back(error().entries(other->rollout().at_depth(depth)));
    }
    const torch::Tensor variance = torch::stack(frames).var(/*dim=*/0, /*unbiased=*/true);
    run().record(column_, depth, variance.mean().item<double>());
  }

  std::string column_;
  bool counts_run_ = true;
  std::vector<std::unique_ptr<SampleRollout>> others_;
  std::vector<size_t> arrived_;  // samples, per depth
};

}  // namespace

std::unique_ptr<Signal> make_seed_spread(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<SampleSpread>(setup, run, /*ancestral=*/false);
}

std::unique_ptr<Signal> make_ancestral_spread(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<SampleSpread>(setup, run, /*ancestral=*/true);
}

}  // namespace roundtrip
