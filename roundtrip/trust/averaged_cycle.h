#pragma once

#include <memory>

#include "roundtrip/trust/signals.h"

namespace roundtrip {

/// Mean of C_i over S initial noises, out and back each with its own.
std::unique_ptr<Signal> make_averaged_cycle(const SignalSetup& setup, MeasuredRun& run);

}  // namespace roundtrip
