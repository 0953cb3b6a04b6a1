#pragma once

#include <cstdint>
#include <span>

namespace roundtrip {

/// How deep a rollout can be trusted; 0 when not even the first checked depth can.
struct TrustedDepth {
  int64_t first_crossing = 0;  // the last checked depth before the bound is first exceeded
  int64_t literal = 0;         // the paper's: the deepest checked depth within the bound
};

/// `values` at increasing `depths` against a tolerance: C itself for the paper's rule, the upper
/// end of the predicted E for ours. NaN is beyond any tolerance.
TrustedDepth trusted_depth(std::span<const int64_t> depths, std::span<const double> values,
                           double tolerance);

}  // namespace roundtrip
