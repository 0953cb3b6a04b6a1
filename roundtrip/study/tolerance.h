#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// How deep a rollout may be trusted for a tolerance on E: what rules say beside the truth.
std::vector<Section> study_tolerance(const Evidence& evidence);

}  // namespace roundtrip
