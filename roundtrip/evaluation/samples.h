#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// How far samples of one rollout lie apart, beside how far they are from the truth, and what their
/// mean gains.
std::vector<Section> evaluate_samples(const Measurements& measured);

}  // namespace roundtrip
