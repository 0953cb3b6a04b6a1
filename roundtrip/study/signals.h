#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// Table 2: every signal there is beside C - how it ranks E, predicts it, and tells the vortex from
/// the test rollouts, and what it costs. Controls, which know the seeds alone, stand last.
std::vector<Section> study_signals(const Evidence& evidence);

}  // namespace roundtrip
