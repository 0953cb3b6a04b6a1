#include "roundtrip/evaluation/depth_grid.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <set>

namespace roundtrip {
namespace {

std::vector<int64_t> depths_of_all(const CurveTable& table) {
  std::vector<int64_t> depths = table.curves.front().depths;
  for (const Curve& curve : table.curves) {
    std::vector<int64_t> both;
    std::set_intersection(depths.begin(), depths.end(), curve.depths.begin(), curve.depths.end(),
                          std::back_inserter(both));
    depths = both;
  }
  return depths;
}

double value_at(const Curve& curve, std::string_view column, int64_t depth) {
  const auto place = std::lower_bound(curve.depths.begin(), curve.depths.end(), depth);
  return curve.column(column)[static_cast<size_t>(place - curve.depths.begin())];
}

// Depths at which the values of every column, one per trajectory, are as `wanted` says.
std::vector<int64_t> depths_where(const CurveTable& table, const std::vector<std::string>& columns,
                                  const std::function<bool(const std::vector<double>&)>& wanted) {
  if (table.curves.empty()) return {};
  std::vector<int64_t> depths = depths_of_all(table);
  std::erase_if(depths, [&](int64_t depth) {
    return !std::all_of(columns.begin(), columns.end(), [&](const std::string& column) {
      if (!table.has(column)) return false;
      std::vector<double> values;
      for (const Curve& curve : table.curves) values.push_back(value_at(curve, column, depth));
      return wanted(values);
    });
  });
  return depths;
}

}  // namespace

std::vector<int64_t> shared_depths(const CurveTable& table,
                                   const std::vector<std::string>& columns) {
  return depths_where(table, columns, [](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double x) { return !std::isnan(x); });
  });
}

std::vector<int64_t> finite_depths(const CurveTable& table,
                                   const std::vector<std::string>& columns) {
  return depths_where(table, columns, [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(),
                       [](double x) { return std::isfinite(x) && x > 0; });
  });
}

CurveGrid grid_of(const CurveTable& table, std::string_view column,
                  const std::vector<int64_t>& depths) {
  CurveGrid grid{.trajectories = {}, .depths = depths, .values = {}};
  for (const Curve& curve : table.curves) {
    grid.trajectories.push_back(static_cast<int64_t>(grid.trajectories.size()));
    for (const int64_t depth : depths) {
      const double value = value_at(curve, column, depth);
      grid.values.push_back(std::isnan(value) ? std::numeric_limits<double>::infinity() : value);
    }
  }
  return grid;
}

CurveGrid log_of(CurveGrid grid) {
  for (double& value : grid.values) value = std::log(value);
  return grid;
}

CurveGrid chosen_trajectories(const CurveGrid& grid, std::span<const size_t> chosen) {
  CurveGrid out{.trajectories = {}, .depths = grid.depths, .values = {}};
  const size_t width = grid.depths.size();
  for (const size_t i : chosen) {
    out.trajectories.push_back(static_cast<int64_t>(out.trajectories.size()));
    const auto row = std::span(grid.values).subspan(i * width, width);
    out.values.insert(out.values.end(), row.begin(), row.end());
  }
  return out;
}

std::vector<int64_t> nearest_depths(const std::vector<int64_t>& depths,
                                    const std::vector<int64_t>& wanted) {
  std::set<int64_t> found;
  for (const int64_t depth : wanted) {
    if (depths.empty()) break;
    found.insert(*std::min_element(depths.rbegin(), depths.rend(), [&](int64_t a, int64_t b) {
      return std::abs(a - depth) < std::abs(b - depth);
    }));
  }
  return {found.begin(), found.end()};
}

}  // namespace roundtrip
