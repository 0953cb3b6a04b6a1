#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// The denoising loss beside the error of rollouts, over the validations of a training: which of
/// the two a checkpoint should be chosen by.
std::vector<Section> evaluate_checkpoints(const Measurements& measured);

}  // namespace roundtrip
