#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "roundtrip/calibration/curves.h"
#include "roundtrip/evaluation/estimate.h"

namespace roundtrip {

/// AUROC of telling a scenario's rollouts from the test ones by a column, which is the mean of
/// their percentile ranks among the test ones. Intervals are over the trajectories of both.
struct ScenarioRank {
  std::vector<int64_t> depths = {};  // that both have
  std::vector<Estimate> at_depth = {};
  Estimate by_mean = {};  // by the mean of the column's logarithm over these depths

  /// At a depth; without value where there is none.
  Estimate at(int64_t depth) const;
};

/// Empty when one of the tables lacks the column or they share no depth.
ScenarioRank scenario_rank(const CurveTable& test, const CurveTable& scenario,
                           const std::string& column);

}  // namespace roundtrip
