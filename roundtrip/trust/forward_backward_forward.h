#pragma once

#include <memory>

#include "roundtrip/trust/signals.h"

namespace roundtrip {

/// Disagreement of two forward rollouts: the first, and one from the seed frames that a round trip
/// to depth i brought back, anchored at the earliest of them; mean squared error at depth i.
std::unique_ptr<Signal> make_forward_backward_forward(const SignalSetup& setup, MeasuredRun& run);

}  // namespace roundtrip
