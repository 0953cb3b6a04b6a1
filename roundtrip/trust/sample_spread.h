#pragma once

#include <memory>

#include "roundtrip/trust/signals.h"

namespace roundtrip {

/// Variance across S rollouts of one trajectory, unbiased, mean over latent entries: by S start
/// noises (the rollout itself is the first sample) ...
std::unique_ptr<Signal> make_seed_spread(const SignalSetup& setup, MeasuredRun& run);
/// ... or by S ancestral rollouts, with fresh noise in every call.
std::unique_ptr<Signal> make_ancestral_spread(const SignalSetup& setup, MeasuredRun& run);

}  // namespace roundtrip
