#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "roundtrip/stats/curve_grid.h"

namespace roundtrip {

/// How trajectories stand out from reference ones by one number of each.
struct Standing {
  std::vector<double> percentile;  // of each among the reference ones (percentile_among)
  std::optional<double> auroc;     // of telling them from the reference ones
};

/// The same by a signal along rollouts.
struct Novelty {
  std::vector<int64_t> depths;        // that both have
  std::vector<Standing> at_depth;     // one per depth
  Standing by_mean;                   // by the mean of the signal's logarithm over those depths
  std::vector<int64_t> trajectories;  // labels of the percentiles' trajectories
};

/// The signal is at least 0; one that is 0 counts as lower, one that is infinite as higher than all
/// others. An Error when the two share no depth.
Novelty novelty(const CurveGrid& reference, const CurveGrid& others);

/// auroc_of_high_errors among the trajectories at each depth: what a signal knows beyond the depth.
/// The grids have the same trajectories and depths.
std::vector<std::optional<double>> high_error_auroc(const CurveGrid& score, const CurveGrid& error,
                                                    double fraction = 0.2);

}  // namespace roundtrip
