#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// How much larger the error is on test trajectories than on those of the training.
std::vector<Section> study_train_ratio(const Evidence& evidence);

}  // namespace roundtrip
