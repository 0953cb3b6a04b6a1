#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// Deferral: how much lower the error is of what is kept when the rows of the highest predicted
/// error are set aside, over all depths and at fixed ones.
std::vector<Section> study_risk_coverage(const Evidence& evidence);

}  // namespace roundtrip
