#pragma once

#include <memory>

#include "roundtrip/trust/signals.h"

namespace roundtrip {

/// Mean squared error of every field of the decoded frame at depth i against the simulation, not
/// against its reconstruction, in physical units: columns `E_density`, ...
std::unique_ptr<Signal> make_decoded_error(const SignalSetup& setup, MeasuredRun& run);

}  // namespace roundtrip
