#include "roundtrip/stats/curve_grid.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/stats/groups.h"

namespace roundtrip {

CurveGrid arrange(std::span<const int64_t> trajectory, std::span<const int64_t> depth,
                  std::span<const double> values) {
  ensure(trajectory.size() == depth.size() && depth.size() == values.size(),
         "columns of a curve differ in length");
  CurveGrid grid;
  for (const Group& group : group_by(depth)) grid.depths.push_back(group.label);
  for (Group& group : group_by(trajectory)) {
    grid.trajectories.push_back(group.label);
    std::sort(group.rows.begin(), group.rows.end(),
              [&](size_t a, size_t b) { return depth[a] < depth[b]; });
    std::vector<int64_t> found;
    for (const size_t row : group.rows) {
      found.push_back(depth[row]);
      grid.values.push_back(values[row]);
    }
    if (found != grid.depths) {
      throw Error("stats",
                  fmt::format("trajectory {}: expected one row at each of {} depths, found "
                              "{} rows at other depths or some twice; leave out depths "
                              "that not all trajectories have",
                              group.label, grid.depths.size(), found.size()));
    }
  }
  return grid;
}

std::vector<double> depth_column(const CurveGrid& grid, size_t place) {
  std::vector<double> values;
  for (size_t i = place; i < grid.values.size(); i += grid.depths.size()) {
    values.push_back(grid.values[i]);
  }
  return values;
}

std::vector<double> depth_means(const CurveGrid& grid) {
  std::vector<double> means;
  for (size_t i = 0; i < grid.depths.size(); ++i) {
    const std::vector<double> values = depth_column(grid, i);
    means.push_back(std::accumulate(values.begin(), values.end(), 0.0) /
                    static_cast<double>(values.size()));
  }
  return means;
}

}  // namespace roundtrip
