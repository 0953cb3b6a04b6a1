#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// The denoising loss beside the error of rollouts, over the validations of a training: which of
/// the two a checkpoint should be chosen by.
std::vector<Section> study_checkpoints(const Evidence& evidence);

}  // namespace roundtrip
