#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// Uncertainty objects of pixels on test rollouts, by the benchmark's measures.
std::vector<Section> evaluate_head_to_head(const Measurements& measured);

}  // namespace roundtrip
