#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// The tables of the studies `calibration` and `correlations` for the first fifty test trajectories
/// of MHD: as many as the paper tests on.
std::vector<Section> study_first_fifty(const Evidence& evidence);

}  // namespace roundtrip
