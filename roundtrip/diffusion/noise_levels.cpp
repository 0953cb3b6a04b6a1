// Leading strides are those of improved diffusion's "ddimN" (Nichol & Dhariwal 2021); trailing ones
// are argued for by Lin et al. 2023: a sampler that starts from pure noise should say so to the
// network. Refining ones follow Lippe et al. 2023, "PDE-Refiner": a prediction, then corrections at
// ever lower noise.
#include "roundtrip/diffusion/noise_levels.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

// How many of 0, stride, 2 stride, ... lie below `steps`.
int64_t count_of(int64_t steps, int64_t stride) { return (steps + stride - 1) / stride; }

int64_t leading_stride(int64_t steps, int64_t calls) {
  int64_t more = 0, fewer = 0;  // the possible numbers around `calls`; counts fall as strides grow
  for (int64_t stride = 1; stride <= steps; ++stride) {
    const int64_t count = count_of(steps, stride);
    if (count == calls) return stride;
    if (count > calls) more = count;
    if (count < calls) {
      fewer = count;
      break;
    }
  }
  throw Error("sampler",
              fmt::format("steps: no stride visits {} of {} diffusion steps; the nearest "
                          "possible are {} and {}, or use spacing=trailing",
                          calls, steps, fewer, more));
}

}  // namespace

const Registry<SpacingEntry>& spacings() {
  static const Registry<SpacingEntry> rows = {
      {"leading", "0, i, 2i, ...: never starts at the last, singular step", Spacing::leading},
      {"trailing", "K-1, K-1-i, ...: starts at pure noise; any number of calls, for v and x0",
       Spacing::trailing},
      {"refining",
       "K-1, then a quarter of the step before: prediction and refinement, for v and x0",
       Spacing::refining},
  };
  return rows;
}

std::vector<int64_t> spaced_steps(Spacing spacing, int64_t schedule_steps, int64_t calls) {
  if (calls < 1 || calls > schedule_steps) {
    throw Error("sampler", fmt::format("steps: expected between 1 and the schedule's {}, found {}",
                                       schedule_steps, calls));
  }
  std::vector<int64_t> steps;
  if (spacing == Spacing::trailing) {
    // round(left K / calls) - 1 in whole numbers, halves up.
    for (int64_t left = calls; left > 0; --left) {
      steps.push_back((2 * left * schedule_steps + calls) / (2 * calls) - 1);
    }
    return steps;
  }
  if (spacing == Spacing::refining) {
    for (int64_t call = 0, left = schedule_steps; call < calls; ++call, left = (left + 2) / 4) {
      if (left == 0) {
        throw Error("sampler", fmt::format("steps: expected at most {} calls with spacing=refining "
                                           "and {} noise levels, found {}",
                                           call, schedule_steps, calls));
      }
      steps.push_back(left - 1);
    }
    return steps;
  }
  if (calls == 1 && schedule_steps > 1) {
    throw Error("sampler",
                "steps: one call with spacing=leading would be at k = 0, where a frame "
                "has almost no noise; use spacing=trailing");
  }
  const int64_t stride = leading_stride(schedule_steps, calls);
  for (int64_t k = 0; k < schedule_steps; k += stride) steps.push_back(k);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

std::vector<NoiseLevel> noise_levels(const NoiseSchedule& schedule, Spacing spacing,
                                     int64_t calls) {
  std::vector<NoiseLevel> levels;
  for (const int64_t k : spaced_steps(spacing, schedule.steps(), calls)) {
    const double abar = schedule.alpha_bar(k);
    if (!levels.empty()) levels.back().next_alpha_bar = abar;
    levels.push_back({.k = k, .alpha_bar = abar, .next_alpha_bar = 1});
  }
  return levels;
}

}  // namespace roundtrip
