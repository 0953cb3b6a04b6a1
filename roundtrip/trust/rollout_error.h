#pragma once

#include <memory>

#include "roundtrip/trust/signals.h"

namespace roundtrip {

/// E_i, mean squared error of the frame at depth i, and E_pair = (E_{i-1} + E_i) / 2 with E_0 = 0.
std::unique_ptr<Signal> make_rollout_error(const SignalSetup& setup, MeasuredRun& run);

}  // namespace roundtrip
