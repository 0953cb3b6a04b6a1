#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// How deep a rollout may be trusted for a tolerance on E: what rules say beside the truth.
std::vector<Section> evaluate_tolerance(const Measurements& measured);

}  // namespace roundtrip
