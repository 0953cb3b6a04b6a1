#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// Whether a signal tells the fifth of the rollouts with the highest error, depth by depth.
std::vector<Section> evaluate_high_error(const Measurements& measured);

}  // namespace roundtrip
