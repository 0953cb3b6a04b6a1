#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// Table 3: how well log E is predicted by nothing, by the depth, by seeds alone and by C; and the
/// calibration curves behind it.
std::vector<Section> evaluate_calibration(const Measurements& measured);

}  // namespace roundtrip
