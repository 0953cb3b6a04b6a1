#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// Geometric growth of the mean error with depth, of E and of every field.
std::vector<Section> evaluate_growth(const Measurements& measured);

}  // namespace roundtrip
