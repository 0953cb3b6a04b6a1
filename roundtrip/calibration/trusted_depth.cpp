#include "roundtrip/calibration/trusted_depth.h"

#include "roundtrip/base/error.h"

namespace roundtrip {

TrustedDepth trusted_depth(std::span<const int64_t> depths, std::span<const double> values,
                           double tolerance) {
  ensure(depths.size() == values.size(), "one value per depth");
  TrustedDepth trusted;
  bool crossed = false;
  for (size_t i = 0; i < depths.size(); ++i) {
    const bool within = values[i] <= tolerance;  // false for NaN
    crossed = crossed || !within;
    if (within) trusted.literal = depths[i];
    if (!crossed) trusted.first_crossing = depths[i];
  }
  return trusted;
}

}  // namespace roundtrip
