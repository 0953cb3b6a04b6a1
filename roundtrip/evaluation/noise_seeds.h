#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// Ranking and calibration of the first test rollouts by initial noise of several seeds.
std::vector<Section> evaluate_noise_seeds(const Measurements& measured);

}  // namespace roundtrip
