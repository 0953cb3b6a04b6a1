#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// Nats that C gains over the depth alone, depth by depth.
std::vector<Section> evaluate_per_depth_gain(const Measurements& measured);

}  // namespace roundtrip
