#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// What C gains from the depth and from its own mean over the rollout; calibration depth by depth;
/// and whether upper bounds hold, the conformal one beside the Gaussian's.
std::vector<Section> evaluate_augmentation(const Measurements& measured);

}  // namespace roundtrip
