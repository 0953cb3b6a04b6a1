#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "roundtrip/data/dataset.h"
#include "roundtrip/rollout/surrogate.h"

namespace roundtrip {

/// Measures the sandwich around C and the certificate for E (trust/certificate.h) along the first
/// test trajectories: a CSV of trajectory, depth, anchors (shared, own), and the row's numbers.
std::string certificate_table(const Surrogate& surrogate, const Dataset& dataset,
                              int64_t trajectories, const std::vector<int64_t>& depths);

}  // namespace roundtrip
