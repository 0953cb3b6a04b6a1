#include "roundtrip/metrics/curve_grid.h"

#include <numeric>

namespace roundtrip {

std::vector<double> depth_column(const CurveGrid& grid, size_t index) {
  std::vector<double> values;
  for (size_t i = index; i < grid.values.size(); i += grid.depths.size()) {
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
