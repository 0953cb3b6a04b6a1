#include "roundtrip/metrics/percentile_rank.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/auroc.h"

namespace roundtrip {
namespace {

// The columns of the given depths, which the grid has.
std::vector<std::vector<double>> columns(const CurveGrid& grid,
                                         const std::vector<int64_t>& depths) {
  std::vector<std::vector<double>> all;
  for (const int64_t depth : depths) {
    const auto place = std::lower_bound(grid.depths.begin(), grid.depths.end(), depth);
    all.push_back(depth_column(grid, static_cast<size_t>(place - grid.depths.begin())));
  }
  return all;
}

// Of every trajectory, over columns.
std::vector<double> mean_logs(const std::vector<std::vector<double>>& columns) {
  std::vector<double> means(columns.front().size(), 0.0);
  for (const auto& values : columns) {
    for (size_t i = 0; i < values.size(); ++i) {
      means[i] += std::log(values[i]) / static_cast<double>(columns.size());
    }
  }
  return means;
}

}  // namespace

PercentileRanks percentile_ranks(const CurveGrid& reference, const CurveGrid& others) {
  ensure(!reference.trajectories.empty(), "percentile rank: at least one reference trajectory");
  PercentileRanks result;
  std::set_intersection(reference.depths.begin(), reference.depths.end(), others.depths.begin(),
                        others.depths.end(), std::back_inserter(result.depths));
  if (result.depths.empty()) {
    throw Error("percentile rank",
                "expected a depth that both tables have, found none; measure the two "
                "at the same --depths");
  }
  const auto known = columns(reference, result.depths), found = columns(others, result.depths);
  for (size_t i = 0; i < result.depths.size(); ++i) {
    result.at_depth.push_back(auroc(found[i], known[i]));
  }
  result.by_mean = auroc(mean_logs(found), mean_logs(known));
  return result;
}

}  // namespace roundtrip
