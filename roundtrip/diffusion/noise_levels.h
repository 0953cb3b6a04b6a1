#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "roundtrip/base/registry.h"
#include "roundtrip/diffusion/noise_schedule.h"

namespace roundtrip {

/// How a sampler with fewer calls than the schedule has steps chooses its steps.
enum class Spacing { leading, trailing, refining };

using SpacingEntry = ChoiceEntry<Spacing>;

/// All spacings, the paper's first.
const Registry<SpacingEntry>& spacings();

/// One call of the denoiser: from alpha_bar at k to next_alpha_bar, which is 1 after the last call.
struct NoiseLevel {
  int64_t k;
  double alpha_bar;
  double next_alpha_bar;
};

/// The steps k that `calls` calls visit, noisiest first.
///
/// `leading`: 0, i, 2i, ... below K with the smallest stride i that gives `calls` of them; a number
/// no stride gives is an Error that names the nearest possible ones. It never starts at the
/// singular last step. One call would be k = 0, where a frame has no noise to speak of: an Error
/// too.
///
/// `trailing`: K-1, then down by K / calls, rounded: any number of calls up to K. It starts at pure
/// noise, as a single call must, so it suits v and x0; eps is singular there (NoiseSchedule).
///
/// `refining`: K-1, then K/4 - 1, K/16 - 1, ..., rounded: the first call predicts, every further
/// one corrects at less noise (standard deviations 1, .39, .11, .035 for K = 1000). `ddim` adds the
/// same noise again at each, `ancestral` fresh noise. As many calls as stay at 0 or above.
std::vector<int64_t> spaced_steps(Spacing spacing, int64_t schedule_steps, int64_t calls);

/// The same with the schedule's values.
std::vector<NoiseLevel> noise_levels(const NoiseSchedule& schedule, Spacing spacing, int64_t calls);

}  // namespace roundtrip
