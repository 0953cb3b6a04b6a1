#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "roundtrip/calibration/curves.h"
#include "roundtrip/evaluation/estimate.h"

namespace roundtrip {

/// Correlations of two columns of a table, with intervals over trajectories.
struct CorrelationEstimates {
  std::vector<int64_t> depths;      // shared ones, or finite ones for logarithms
  std::vector<Estimate> at_depth;   // over trajectories, one per depth
  Estimate within;                  // mean over trajectories of the correlation over depths
  std::optional<double> within_sd;  // its deviation over trajectories

  /// At a depth; without value where there is none.
  Estimate at(int64_t depth) const;
};

/// Spearman's of the columns.
CorrelationEstimates rank_correlations(const CurveTable& table, const std::string& x,
                                       const std::string& y);

/// Pearson's of their natural logarithms.
CorrelationEstimates log_correlations(const CurveTable& table, const std::string& x,
                                      const std::string& y);

}  // namespace roundtrip
