#pragma once

#include <memory>

#include "roundtrip/trust/signals.h"

namespace roundtrip {

/// The round trip from the other end: backward from the last true frames, then forward again.
/// `C_back` compares with those last frames, `E_back` is the error of the backward rollout.
std::unique_ptr<Signal> make_mirror(const SignalSetup& setup, MeasuredRun& run);

}  // namespace roundtrip
