#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace roundtrip {

/// One quantity at every depth of every trajectory.
struct CurveGrid {
  std::vector<int64_t> trajectories;  // labels, ascending
  std::vector<int64_t> depths;        // ascending
  std::vector<double> values;         // [trajectory, depth]
};

/// Arranges rows, given in any order. An Error when a trajectory lacks a depth others have, or has
/// one twice.
CurveGrid arrange(std::span<const int64_t> trajectory, std::span<const int64_t> depth,
                  std::span<const double> values);

/// One depth, by its place: a value per trajectory.
std::vector<double> depth_column(const CurveGrid& grid, size_t place);

/// The mean over trajectories at every depth.
std::vector<double> depth_means(const CurveGrid& grid);

}  // namespace roundtrip
