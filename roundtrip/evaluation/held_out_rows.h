#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "roundtrip/calibration/held_out.h"

namespace roundtrip {

/// Rows of one trajectory in a HeldOut: [first, last).
struct RowRange {
  size_t first = 0;
  size_t last = 0;
};

/// One for every trajectory that has rows.
std::vector<RowRange> rows_by_curve(const HeldOut& rows);

/// The rows of chosen trajectories, given by place in `ranges`, possibly repeated.
HeldOut chosen_curves(const HeldOut& rows, const std::vector<RowRange>& ranges,
                      std::span<const size_t> chosen);

/// The rows at one depth.
HeldOut rows_at_depth(const HeldOut& rows, int64_t depth);

/// The depths that have rows, ascending.
std::vector<int64_t> depths_of(const HeldOut& rows);

}  // namespace roundtrip
