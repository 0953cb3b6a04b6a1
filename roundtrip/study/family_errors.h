#pragma once

#include <string>
#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// Whether signals tell errors that test rollouts rarely have: AUROC for E above the 95th
/// percentile of the test rollouts' E at the same depth, among test rollouts and those of some
/// families together. Families need C and E.
TableSection family_errors_table(const Evidence& evidence, const std::string& title,
                                 const std::vector<const CurveTable*>& families);

}  // namespace roundtrip
