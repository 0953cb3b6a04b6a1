#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace roundtrip {

/// Rows that share a label: trajectories, depths.
struct Group {
  int64_t label = 0;
  std::vector<size_t> rows;  // positions, ascending
};

/// The groups of `labels` (one per row), labels ascending.
std::vector<Group> group_by(std::span<const int64_t> labels);

/// The values of chosen rows, in their order.
std::vector<double> take(std::span<const double> values, std::span<const size_t> rows);

}  // namespace roundtrip
