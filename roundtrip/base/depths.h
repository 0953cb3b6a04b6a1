#pragma once

#include <cstdint>
#include <vector>

namespace roundtrip {

/// 1, 2, 4, ... up to `deepest`.
std::vector<int64_t> doubling_depths(int64_t deepest);

/// The depths at which rollouts are measured unless the user names others: 1 to 6, then three an
/// octave (8, 10, 12, 16, 20, 24, ...), and `deepest`. The ways back from all of them cost less
/// than six rollouts to `deepest`. For 98 they hold the paper's 5, 10, 20, 40 and 80.
std::vector<int64_t> measured_depths(int64_t deepest);

}  // namespace roundtrip
