#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// The supplement's table by field: how well C alone predicts the error of each decoded field.
std::vector<Section> evaluate_fields(const Measurements& measured);

}  // namespace roundtrip
