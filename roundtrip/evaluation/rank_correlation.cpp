#include "roundtrip/evaluation/rank_correlation.h"

#include <algorithm>

#include "roundtrip/metrics/grouped_correlation.h"
#include "roundtrip/evaluation/depth_grid.h"

namespace roundtrip {
namespace {

constexpr BootstrapConfig kCorrelationBootstrap = {.resamples = 400};

CorrelationEstimates correlations_of(const CurveGrid& x, const CurveGrid& y, Correlation kind) {
  std::vector<int64_t> trajectory, depth;
  for (const int64_t t : x.trajectories) {
    for (const int64_t d : x.depths) {
      trajectory.push_back(t);
      depth.push_back(d);
    }
  }
  const PairedCurves curves{.trajectory = trajectory, .depth = depth, .x = x.values, .y = y.values};
  CorrelationEstimates result;
  result.depths = x.depths;
  for (const int64_t d : x.depths) {
    result.at_depth.push_back({correlation_at_depth(curves, d, kind),
                               bootstrap_at_depth(curves, d, kind, kCorrelationBootstrap)});
  }
  if (const auto within = correlation_within(curves, kind)) {
    result.within = {within->mean, bootstrap_within(curves, kind, kCorrelationBootstrap)};
    result.within_sd = within->sd;
  }
  return result;
}

}  // namespace

Estimate CorrelationEstimates::at(int64_t depth) const {
  const auto found = std::find(depths.begin(), depths.end(), depth);
  return found == depths.end() ? Estimate{} : at_depth[static_cast<size_t>(found - depths.begin())];
}

CorrelationEstimates rank_correlations(const CurveTable& table, const std::string& x,
                                       const std::string& y) {
  const std::vector<int64_t> depths = shared_depths(table, {x, y});
  return correlations_of(grid_of(table, x, depths), grid_of(table, y, depths),
                         Correlation::spearman);
}

CorrelationEstimates log_correlations(const CurveTable& table, const std::string& x,
                                      const std::string& y) {
  const std::vector<int64_t> depths = finite_depths(table, {x, y});
  return correlations_of(log_of(grid_of(table, x, depths)), log_of(grid_of(table, y, depths)),
                         Correlation::pearson);
}

}  // namespace roundtrip
