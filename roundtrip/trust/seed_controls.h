#pragma once

#include <memory>

#include "roundtrip/trust/signals.h"

namespace roundtrip {

/// Controls that know the seed frames and nothing of the rollout; the same at every depth. What a
/// signal is worth is what it adds to them.
///
/// Change between the two newest seed frames.
std::unique_ptr<Signal> make_seed_step(const SignalSetup& setup, MeasuredRun& run);
/// Mean squared distance to the 10 nearest seed windows of the training split.
std::unique_ptr<Signal> make_seed_knn(const SignalSetup& setup, MeasuredRun& run);
/// Mean squared error of the decoded seed frames, in standard deviations of the fields.
std::unique_ptr<Signal> make_seed_codec(const SignalSetup& setup, MeasuredRun& run);

}  // namespace roundtrip
