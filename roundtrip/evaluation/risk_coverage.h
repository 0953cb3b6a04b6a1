#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// Selective prediction: how much lower the error is of what is kept when the rows of the highest
/// predicted error are set aside, over all depths and at fixed ones.
std::vector<Section> evaluate_risk_coverage(const Measurements& measured);

}  // namespace roundtrip
