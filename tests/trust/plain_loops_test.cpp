// Every signal again, by plain loops over vectors of frames, with a stepper that depends on all it
// is given: far and near context, anchor, time index and direction. A wrong anchor or index shows
// here.
#include <map>

#include <gtest/gtest.h>

#include "roundtrip/nn/init.h"
#include "roundtrip/trust/measure.h"
#include "tests/support/linear_surrogate.h"

namespace roundtrip {
namespace {

using Frames = std::vector<torch::Tensor>;

class Everything final : public Stepper {
 public:
  explicit Everything(int64_t contexts) : contexts_(contexts) {}

  torch::Tensor one(const Frames& context, const torch::Tensor& anchor, int64_t index,
                    int64_t direction) const {
    torch::Tensor sum = 0.3 * anchor + 0.01 * static_cast<double>(index * direction);
    for (size_t i = 0; i < context.size(); ++i) {
      sum = sum + (0.2 + 0.1 * static_cast<double>(i)) * context[i];
    }
    return torch::sin(sum) + 0.05 * static_cast<double>(direction);
  }

  torch::Tensor step(const FrameWindows& inputs) override {
    Frames next;
    for (int64_t row = 0; row < inputs.context.size(0); ++row) {
      next.push_back(one(inputs.context[row].unbind(0), inputs.anchor[row],
                         inputs.target_index[row].item<int64_t>(),
                         inputs.direction[row].item<int64_t>()));
    }
    return torch::stack(next);
  }
  int64_t contexts() const override { return contexts_; }
  FrameShape frame() const override { return {2, 1, 1}; }
  torch::ScalarType type() const override { return torch::kFloat64; }

 private:
  int64_t contexts_;
};

double mse(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).square().mean().item<double>();
}

// The requirement's sliding window, written out: frames by time index.
struct Loops {
  const Everything& model;
  int64_t n;

  // Steps from known frames (by index) in a direction; the window's nearest frame is `nearest`.
  // Slots beyond what `known` holds are the anchor's.
  std::map<int64_t, torch::Tensor> leg(const std::map<int64_t, torch::Tensor>& known,
                                       int64_t nearest, int64_t direction,
                                       const torch::Tensor& anchor, int64_t steps) const {
    std::map<int64_t, torch::Tensor> frames = known;
    for (int64_t s = 1; s <= steps; ++s) {
      const int64_t target = nearest + direction * s;
      Frames context;
      for (int64_t slot = n; slot >= 1; --slot) {
        const auto found = frames.find(target - direction * slot);
        context.push_back(found == frames.end() ? anchor : found->second);
      }
      frames[target] = model.one(context, anchor, target, direction);
    }
    return frames;
  }
};

struct Case {
  int64_t contexts, first_index;
};

class PlainLoops : public testing::TestWithParam<Case> {};

TEST_P(PlainLoops, FindTheSameNumbers) {
  const auto [n, first] = GetParam();
  const int64_t frames = 9, depth = frames - n;
  const auto model = std::make_shared<Everything>(n);
  const torch::Tensor truth = keyed_normal({frames, 2, 1, 1}, 8, "loops").to(torch::kFloat64);
  std::vector<int64_t> depths;
  for (int64_t i = 1; i <= depth; ++i) depths.push_back(i);
  const Meter meter(surrogate_of(model),
                    {.depths = depths,
                     .signals = {"round_trip", "error", "residual", "mirror", "fbf", "local"},
                     .batch = 5});
  const auto table =
      meter.measure({{.latents = truth, .fields = {}, .initial_frames = n, .first_index = first}})
          .at(0);
  const Loops loops{*model, n};
  const int64_t t = first + n - 1, last = first + frames - 1;
  std::map<int64_t, torch::Tensor> all, seeds, ends;
  for (int64_t i = 0; i < frames; ++i) {
    all[first + i] = truth[i];
    if (i < n) seeds[first + i] = truth[i];
    if (i >= frames - n) ends[first + i] = truth[i];
  }
  const auto window = [](const std::map<int64_t, torch::Tensor>& from, int64_t low, int64_t high) {
    std::map<int64_t, torch::Tensor> some;
    for (int64_t k = low; k <= high; ++k) some[k] = from.at(k);
    return some;
  };
  const auto out = loops.leg(seeds, t, +1, truth[0], depth);
  const auto mirrored = loops.leg(ends, last - n + 1, -1, truth[frames - 1], depth);
  const auto error_of_seeds = [&](const std::map<int64_t, torch::Tensor>& found,
                                  const std::map<int64_t, torch::Tensor>& known, int64_t low,
                                  int64_t count) {
    double sum = 0;
    for (int64_t k = low; k < low + count; ++k) sum += mse(found.at(k), known.at(k));
    return sum;
  };
  for (const int64_t i : depths) {
    const auto near = [&](const char* name, double expected) {
      const auto at = std::find(meter.columns().begin(), meter.columns().end(), name);
      EXPECT_NEAR(table[i - 1][at - meter.columns().begin()], expected, 1e-12)
          << name << " depth " << i << " contexts " << n;
    };
    const int64_t made = std::min(i, n);
    // Back from the newest n frames at depth i, anchored where it turns.
    const auto back =
        loops.leg(window(out, t + i - n + 1, t + i), t + i - n + 1, -1, out.at(t + i), i);
    const double sum = error_of_seeds(back, seeds, first, made);
    near("C", sum / static_cast<double>(n));
    near("C_regenerated", sum / static_cast<double>(made));
    // Predicted frames only.
    const int64_t oldest = std::max(t + 1, t + i - n + 1);
    const auto leak_free = loops.leg(window(out, oldest, t + i), oldest, -1, out.at(t + i), i);
    near("C_leakfree",
         error_of_seeds(leak_free, seeds, oldest - i, made) / static_cast<double>(made));
    near("E", mse(out.at(t + i), all.at(t + i)));
    // True frames, anchored at the true turn.
    const auto residual =
        loops.leg(window(all, t + i - n + 1, t + i), t + i - n + 1, -1, all.at(t + i), i);
    near("delta", std::sqrt(error_of_seeds(residual, seeds, first, n) / static_cast<double>(n)));
    // From the other end, anchored at the last frame and then at the turn.
    const int64_t turn = last - n + 1 - i;
    near("E_back", mse(mirrored.at(turn), all.at(turn)));
    const auto again =
        loops.leg(window(mirrored, turn, turn + n - 1), turn + n - 1, +1, mirrored.at(turn), i);
    near("C_back", error_of_seeds(again, ends, last - made + 1, made) / static_cast<double>(n));
    // The third leg, anchored at the earliest seed that came back.
    const auto third = loops.leg(window(back, first, t), t, +1, back.at(first), i);
    near("fbf", mse(third.at(t + i), out.at(t + i)));
    for (const int64_t j : {1, 2, 4}) {
      const int64_t steps = std::min(i, j);
      double total = 0;
      for (int64_t k = steps; k <= i; ++k) {
        const auto local =
            loops.leg(window(out, t + k - n + 1, t + k), t + k - n + 1, -1, out.at(t + k), steps);
        total += error_of_seeds(local, out, t + k - steps - n + 1, n) / static_cast<double>(n);
      }
      near(("local_" + std::to_string(j)).c_str(), total / static_cast<double>(i - steps + 1));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, PlainLoops,
                         testing::Values(Case{1, 0}, Case{2, 0}, Case{2, 5}, Case{3, 0},
                                         Case{4, 2}),
                         [](const auto& instance) {
                           return "n" + std::to_string(instance.param.contexts) + "_from" +
                                  std::to_string(instance.param.first_index);
                         });

}  // namespace
}  // namespace roundtrip
