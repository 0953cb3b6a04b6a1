#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// C against E at every depth over trajectories, and along each rollout.
std::vector<Section> evaluate_correlations(const Measurements& measured);

}  // namespace roundtrip
