#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// Rollouts of other kinds among the test ones: how they stand out by each signal, whether signals
/// tell their errors, how often the alarm rings; histograms of log C with single ones marked.
std::vector<Section> study_novelty(const Evidence& evidence);

}  // namespace roundtrip
