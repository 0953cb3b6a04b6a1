#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// The supplement's table by field: how well C alone predicts the error of each decoded field.
std::vector<Section> study_fields(const Evidence& evidence);

}  // namespace roundtrip
