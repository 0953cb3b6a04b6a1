#pragma once

#include <memory>

#include "roundtrip/trust/signals.h"

namespace roundtrip {

/// delta_i, root mean square of what i backward steps from the *true* frames at depth i miss of the
/// seed frames: the error of the way back alone.
std::unique_ptr<Signal> make_backward_residual(const SignalSetup& setup, MeasuredRun& run);

}  // namespace roundtrip
