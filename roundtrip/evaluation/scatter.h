#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// C, E and the predicted error of every test rollout; those of the mirror (backward first) when
/// they were measured.
std::vector<Section> evaluate_scatter(const Measurements& measured);

}  // namespace roundtrip
