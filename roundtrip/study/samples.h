#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// How far samples of one rollout lie apart, beside how far they are from the truth, and what their
/// mean gains.
std::vector<Section> study_samples(const Evidence& evidence);

}  // namespace roundtrip
