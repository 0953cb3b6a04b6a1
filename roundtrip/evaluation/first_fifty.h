#pragma once

#include <string_view>
#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// Ends their titles.
inline constexpr std::string_view kFirstFifty = ", the first fifty";

/// The tables of `calibration` and `correlations` for the first fifty test trajectories
/// of MHD: as many as the paper tests on.
std::vector<Section> evaluate_first_fifty(const Measurements& measured);

}  // namespace roundtrip
