#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// C against E at every depth over trajectories, and along each rollout.
std::vector<Section> study_correlations(const Evidence& evidence);

}  // namespace roundtrip
