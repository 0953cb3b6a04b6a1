#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "roundtrip/metrics/curve_grid.h"

namespace roundtrip {

/// How trajectories stand out from reference ones by a signal along rollouts: AUROC of telling the
/// two apart, which is the mean of their percentiles among the reference ones, and of a single
/// trajectory its percentile.
struct PercentileRanks {
  std::vector<int64_t> depths;                  // that both have
  std::vector<std::optional<double>> at_depth;  // one per depth
  std::optional<double> by_mean;  // by the mean of the signal's logarithm over those depths
};

/// The signal is at least 0; one that is 0 counts as lower, one that is infinite as higher than all
/// others. An Error when the two share no depth.
PercentileRanks percentile_ranks(const CurveGrid& reference, const CurveGrid& others);

}  // namespace roundtrip
