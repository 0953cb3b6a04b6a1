#pragma once

#include <memory>

#include "roundtrip/trust/signals.h"

namespace roundtrip {

/// Short round trips along the way. `local_j` at depth i is the mean over k = j..i of the mean
/// squared error between what j steps back from depth k return and the frames the rollout had there
/// itself. Its cost grows with depth, that of C with depth squared. At i < j, where no such trip
/// fits, it is the trip of i steps from depth i.
std::unique_ptr<Signal> make_local_cycles(const SignalSetup& setup, MeasuredRun& run);

}  // namespace roundtrip
