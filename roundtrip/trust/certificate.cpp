#include "roundtrip/trust/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "roundtrip/nn/init.h"
#include "roundtrip/rollout/roll_out.h"

namespace roundtrip {
namespace {

// Both legs from one depth, window by window.
struct Legs {
  std::vector<torch::Tensor> truth, made;  // after 0, 1, ... steps, in rollout order
};

torch::Tensor window_at(const Rollout& rollout, int64_t depth, int64_t window) {
  return rollout.frames.narrow(0, rollout.initial_frames + depth - window, window);
}

void add_leg(BatchScheduler& scheduler, Leg leg, int64_t window, std::vector<torch::Tensor>& seen) {
  leg.stepped = [&seen, window](int64_t, const torch::Tensor& context) {
    seen.push_back(in_rollout_order(context).narrow(0, 0, window).clone());
  };
  scheduler.add(std::move(leg));
}

CertificateRow row_of(const Legs& legs, const LatentError& error, const torch::Tensor& seed_frames,
                      int64_t depth) {
  CertificateRow row;
  row.depth = depth;
  row.window_error = error.mse(legs.truth[0], legs.made[0]);
  row.E = error.mse(legs.truth[0][-1], legs.made[0][-1]);
  row.C = error.mse(legs.made.back(), seed_frames);
  row.delta = std::sqrt(error.mse(legs.truth.back(), seed_frames));
  const double start = std::sqrt(row.window_error);
  row.mu = row.L = row.realised = 1;  // of two legs that are one: nothing is known, nothing lost
  double before = start;
  for (size_t step = 1; step < legs.truth.size() && before > 0; ++step) {
    const double apart = std::sqrt(error.mse(legs.truth[step], legs.made[step]));
    const double factor = apart / before;
    row.mu = step == 1 ? factor : std::min(row.mu, factor);
    row.L = step == 1 ? factor : std::max(row.L, factor);
    before = apart;
  }
  if (start > 0) row.realised = before / start;
  const auto i = static_cast<double>(depth);
  row.lower = std::pow(std::max(std::pow(row.mu, i) * start - row.delta, 0.0), 2);
  row.upper = std::pow(std::pow(row.L, i) * start + row.delta, 2);
  // The newest frame's error is at most the sum over the window's.
  const auto window = static_cast<double>(legs.truth[0].size(0));
  row.bound = window * std::pow(row.mu, -2 * i) * std::pow(std::sqrt(row.C) + row.delta, 2);
  return row;
}

double rms(const torch::Tensor& tensor) {
  return std::sqrt(tensor.to(torch::kFloat64).square().mean().item<double>());
}

// Contexts (B, n, F, h, w) one step on, all with the anchor, index and direction of one window.
torch::Tensor stepped(Stepper& stepper, const torch::Tensor& contexts, const FrameWindows& window) {
  const int64_t rows = contexts.size(0);
  const FrameWindows windows = {contexts, window.anchor.expand({rows, -1, -1, -1}).contiguous(),
                                window.target_index.expand({rows}).contiguous(),
                                window.direction.expand({rows}).contiguous()};
  return windows.advanced(stepper.step(windows)).context;
}

// J v of the window map, by a central difference; v and the result (1, n, F, h, w).
torch::Tensor push(Stepper& stepper, const FrameWindows& window, const torch::Tensor& v,
                   double epsilon) {
  const double scale = epsilon / std::max(rms(v), 1e-300);
  const torch::Tensor both = stepped(
      stepper, torch::cat({window.context + v * scale, window.context - v * scale}), window);
  return (both.narrow(0, 0, 1) - both.narrow(0, 1, 1)) / (2 * scale);
}

// J^T u: what u asks of the frames that stay, and of the context through the new one.
torch::Tensor pull(Stepper& stepper, const FrameWindows& window, const torch::Tensor& u) {
  const int64_t n = window.contexts();
  torch::Tensor result = stepper.vjp(window, u.select(1, -1));
  if (n > 1) result.narrow(1, 1, n - 1).add_(u.narrow(1, 0, n - 1));
  return result;
}

}  // namespace

std::vector<CertificateRow> certify(Stepper& stepper, const LatentError& error,
                                    const torch::Tensor& truth, int64_t initial_frames,
                                    const std::vector<int64_t>& depths, LegAnchors anchors,
                                    int64_t batch) {
  const torch::Tensor frames = truth.to(stepper.type());
  const Rollout known{frames, initial_frames, /*first_index=*/0, /*direction=*/+1};
  std::vector<Rollout> made = {
      make_rollout(frames.narrow(0, 0, initial_frames), depths.back(), 0, +1)};
  roll_out(made, stepper, batch);
  const int64_t n = stepper.contexts(), window = initial_window(known, n);
  std::map<int64_t, Legs> all;
  BatchScheduler scheduler({&stepper}, batch);
  for (const int64_t depth : depths) {
    Legs& legs = all[depth];
    legs.truth.push_back(window_at(known, depth, window));
    legs.made.push_back(window_at(made[0], depth, window));
    add_leg(scheduler, backward_leg(known, n, depth, depth), window, legs.truth);
    Leg back = backward_leg(made[0], n, depth, depth);
    if (anchors == LegAnchors::shared) back.window.anchor = known.at_depth(depth).unsqueeze(0);
    add_leg(scheduler, std::move(back), window, legs.made);
  }
  scheduler.run();
  std::vector<CertificateRow> rows;
  for (const auto& [depth, legs] : all) {
    rows.push_back(row_of(legs, error, window_at(known, 0, window), depth));
  }
  return rows;
}

StepConstants probe_constants(Stepper& stepper, const FrameWindows& window, int64_t probes,
                              double epsilon, uint64_t seed) {
  StepConstants found{.mu = std::numeric_limits<double>::infinity(), .L = 0};
  for (int64_t i = 0; i < probes; ++i) {
    const torch::Tensor direction =
        keyed_normal(window.context.sizes(), seed, "certificate.probe", static_cast<uint64_t>(i))
            .to(window.context.options());
    const double factor = rms(push(stepper, window, direction, epsilon)) / rms(direction);
    found.mu = std::min(found.mu, factor);
    found.L = std::max(found.L, factor);
  }
  return found;
}

StepConstants jacobian_constants(Stepper& stepper, const FrameWindows& window, int64_t iterations,
                                 double epsilon, uint64_t seed) {
  const auto start = [&](uint64_t index) {
    const torch::Tensor v = keyed_normal(window.context.sizes(), seed, "certificate.start", index)
                                .to(window.context.options());
    return v / rms(v);
  };
  const auto gram = [&](const torch::Tensor& v) {  // J^T J v
    return pull(stepper, window, push(stepper, window, v, epsilon));
  };
  torch::Tensor v = start(0);
  for (int64_t i = 0; i < iterations; ++i) {
    v = gram(v);
    v = v / rms(v);
  }
  const double largest = rms(push(stepper, window, v, epsilon));
  // The smallest eigenvalue of J^T J is where largest^2 I - J^T J is largest.
  torch::Tensor w = start(1);
  for (int64_t i = 0; i < iterations; ++i) {
    w = w * (largest * largest) - gram(w);
    w = w / rms(w);
  }
  return {.mu = rms(push(stepper, window, w, epsilon)), .L = largest};
}

}  // namespace roundtrip
