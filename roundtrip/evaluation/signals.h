#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// Table 2: every signal there is beside C - how it ranks E, predicts it, and tells the vortex from
/// the test rollouts, and what it costs. Baselines, which know the seed frames alone, stand last.
std::vector<Section> evaluate_signals(const Measurements& measured);

}  // namespace roundtrip
