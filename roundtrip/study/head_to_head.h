#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// Uncertainty objects of pixels on test rollouts, by the benchmark's measures, and the rows the
/// paper quotes.
std::vector<Section> study_head_to_head(const Evidence& evidence);

}  // namespace roundtrip
