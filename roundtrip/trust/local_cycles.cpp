#include "roundtrip/trust/local_cycles.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

namespace roundtrip {
namespace {

constexpr std::array<int64_t, 3> kSpans{1, 2, 4};  // j, steps back

class LocalCycles final : public Signal {
 public:
  using Signal::Signal;

  void reached(int64_t depth) override {
    const int64_t window = initial_window(run().rollout, run().scheduler->stepper().contexts());
    const int64_t steps = std::min(depth, kSpans.back());
    run().ask_return(depth, steps, [=, this](int64_t step, const torch::Tensor& context) {
      const bool asked = std::find(kSpans.begin(), kSpans.end(), step) != kSpans.end();
      if (!asked && step != depth) return;
      const torch::Tensor own = run().rollout.frames.narrow(
          0, run().rollout.initial_frames + depth - step - window, window);
      errors_[{step, depth}] = error().mse(in_rollout_order(context).narrow(0, 0, window), own);
      record();
    });
  }

 private:
  // Legs may end out of order, so every one that ends may complete the mean of some depths.
  void record() {
    for (const int64_t span : kSpans) {
      for (int64_t& depth = next_[span]; depth < run().rollout.depth(); ++depth) {
        double sum = 0;
        int64_t terms = 0;
        if (!add_terms(span, depth + 1, sum, terms)) break;
        if (!run().recorded(depth + 1)) continue;
        run().record(fmt::format("local_{}", span), depth + 1, sum / static_cast<double>(terms));
      }
    }
  }

  // Of the mean that belongs to a depth; false when some are still missing.
  bool add_terms(int64_t span, int64_t depth, double& sum, int64_t& terms) const {
    const int64_t back = std::min(span, depth);
    for (int64_t k = back; k <= depth; ++k) {
      const auto found = errors_.find({back, k});
      if (found == errors_.end()) return false;
      sum += found->second;
      ++terms;
    }
    return true;
  }

  std::map<std::pair<int64_t, int64_t>, double> errors_;  // by (steps back, from depth)
  std::map<int64_t, int64_t> next_;                       // depths done, by span
};

}  // namespace

std::unique_ptr<Signal> make_local_cycles(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<LocalCycles>(setup, run);
}

}  // namespace roundtrip
