#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// The calibration study on the first fifty test trajectories: as many as the paper tests on.
std::vector<Section> study_first_fifty(const Evidence& evidence);

}  // namespace roundtrip
