#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// Ranking and calibration of the first test rollouts by start noise of several seeds.
std::vector<Section> study_noise_seeds(const Evidence& evidence);

}  // namespace roundtrip
