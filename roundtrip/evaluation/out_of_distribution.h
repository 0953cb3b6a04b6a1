#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// Rollouts of other kinds among the test ones: how they stand out by each signal, whether signals
/// tell their errors, how often the alarm rings; histograms of log C with single ones marked.
std::vector<Section> evaluate_out_of_distribution(const Measurements& measured);

}  // namespace roundtrip
