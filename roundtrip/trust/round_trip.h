#pragma once

#include <memory>

#include "roundtrip/trust/signals.h"

namespace roundtrip {

/// C_i: i steps on, i steps back from the turnaround, mean squared error of the seeds that come
/// back. Three columns: `C` over the min(i, n) seeds that were regenerated; `C_over_n` the same sum
/// over all n, which the paper writes; `C_leakfree` from a return leg that sees predicted frames
/// only, so that at i < n its i steps regenerate the newest i seeds.
std::unique_ptr<Signal> make_round_trip(const SignalSetup& setup, MeasuredRun& run);

}  // namespace roundtrip
