#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "roundtrip/data/dataset.h"
#include "roundtrip/rollout/surrogate.h"

namespace roundtrip {

/// Measures the sandwich around C and the certificate for E (trust/certificate.h) along the first
/// test trajectories into a table: trajectory, depth, anchors (shared, own), and the row's numbers.
void write_certificate_table(const std::filesystem::path& out, const Surrogate& surrogate,
                             const Dataset& dataset, int64_t trajectories,
                             const std::vector<int64_t>& depths);

}  // namespace roundtrip
