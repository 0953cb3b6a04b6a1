#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// The supplement's variance decomposition: what of log C and log E belongs to the trajectory, and
/// how high that lets their correlation be.
std::vector<Section> evaluate_variance(const Measurements& measured);

}  // namespace roundtrip
