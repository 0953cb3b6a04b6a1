#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roundtrip {

/// One quantity at every depth of every trajectory.
struct CurveGrid {
  std::vector<int64_t> trajectories;  // labels, ascending
  std::vector<int64_t> depths;        // ascending
  std::vector<double> values;         // [trajectory, depth]
};

/// One depth, by its index: a value per trajectory.
std::vector<double> depth_column(const CurveGrid& grid, size_t index);

/// The mean over trajectories at every depth.
std::vector<double> depth_means(const CurveGrid& grid);

}  // namespace roundtrip
