#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// Geometric growth of the mean error with depth, of E and of every field.
std::vector<Section> study_growth(const Evidence& evidence);

}  // namespace roundtrip
