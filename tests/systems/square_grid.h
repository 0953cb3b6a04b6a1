#pragma once

#include <cstdint>
#include <numbers>

#include "roundtrip/systems/mhd_solver.h"

namespace roundtrip {

inline constexpr double kPi = std::numbers::pi;

/// n x n cells of the unit square.
inline MhdGrid square(int64_t n) { return {n, n, 1.0 / static_cast<double>(n)}; }

}  // namespace roundtrip
