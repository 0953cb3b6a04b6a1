#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// Nats that C gains over the depth alone, depth by depth.
std::vector<Section> study_per_depth_gain(const Evidence& evidence);

}  // namespace roundtrip
