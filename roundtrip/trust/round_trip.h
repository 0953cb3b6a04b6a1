#pragma once

#include <memory>

#include "roundtrip/trust/signals.h"

namespace roundtrip {

/// C_i: i steps on, i steps back from the turnaround, mean squared error of the seed frames that
/// come back. Three columns: `C` over all n of them, the paper's Eq. 3, where those that were not
/// regenerated are returned unchanged and count as zero; `C_regenerated` over the min(i, n) that
/// were; `C_leakfree` from a backward leg that sees predicted frames only, so that at i < n its i
/// steps regenerate the newest i seed frames, over which it is the mean.
std::unique_ptr<Signal> make_round_trip(const SignalSetup& setup, MeasuredRun& run);

}  // namespace roundtrip
