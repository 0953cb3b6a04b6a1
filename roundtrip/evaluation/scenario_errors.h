#pragma once

#include <string>
#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// Whether signals tell errors that test rollouts rarely have: AUROC for E above the 95th
/// percentile of the test rollouts' E at the same depth, among test rollouts and those of some
/// scenarios together. Scenarios need C and E.
TableSection scenario_errors_table(const Measurements& measured, const std::string& title,
                                 const std::vector<const CurveTable*>& scenarios);

}  // namespace roundtrip
