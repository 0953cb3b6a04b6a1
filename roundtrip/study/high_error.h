#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// Whether a signal tells the fifth of the rollouts with the highest error, depth by depth.
std::vector<Section> study_high_error(const Evidence& evidence);

}  // namespace roundtrip
