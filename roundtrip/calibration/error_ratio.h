#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "roundtrip/calibration/curves.h"

namespace roundtrip {

/// How much larger the error is on one split than on another. Curves of training trajectories
/// calibrate others only where this is near 1.
struct ErrorRatio {
  double mean = 0;     // of the means over the depths both have
  double deepest = 0;  // at the deepest of them
  int64_t depth = 0;   // that depth
};

/// Above this, a calibrator fitted on the one split is too sure on the other.
inline constexpr double kLargeErrorRatio = 1.5;

/// Mean `target` of `above` over that of `below`, rows that are not finite left out. None when a
/// split or column is missing, no depth is common, or the lower mean is zero.
std::optional<ErrorRatio> error_ratio(const CurveTable& table, const std::string& target,
                                      const std::string& above, const std::string& below);

}  // namespace roundtrip
