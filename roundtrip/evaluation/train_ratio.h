#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// How much larger the error is on test trajectories than on those of the training.
std::vector<Section> evaluate_train_ratio(const Measurements& measured);

}  // namespace roundtrip
