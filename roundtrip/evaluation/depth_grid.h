#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/calibration/curves.h"
#include "roundtrip/metrics/curve_grid.h"

namespace roundtrip {

/// Depths that all trajectories of a table have, and at which each column has a number in one of
/// them at least. Columns the table lacks have none.
std::vector<int64_t> shared_depths(const CurveTable& table,
                                   const std::vector<std::string>& columns);

/// Those at which all numbers are finite and above zero, as means and logarithms need.
std::vector<int64_t> finite_depths(const CurveTable& table,
                                   const std::vector<std::string>& columns);

/// A column at depths that all trajectories have; trajectories by place in the table. NaN (a
/// rollout that diverged) becomes infinity: higher than whatever did not.
CurveGrid grid_of(const CurveTable& table, std::string_view column,
                  const std::vector<int64_t>& depths);

/// Its natural logarithms.
CurveGrid log_of(CurveGrid grid);

/// Chosen trajectories, given by place, possibly repeated; they are labelled anew.
CurveGrid chosen_trajectories(const CurveGrid& grid, std::span<const size_t> chosen);

/// Of ascending depths those nearest to the wanted ones (the deeper of two), ascending, each once.
std::vector<int64_t> nearest_depths(const std::vector<int64_t>& depths,
                                    const std::vector<int64_t>& wanted);

}  // namespace roundtrip
