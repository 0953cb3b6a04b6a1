#include "roundtrip/evaluation/needs.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/evaluation/depth_grid.h"

namespace roundtrip {

void need_columns(const CurveTable& table, std::string_view table_name,
                  const std::vector<std::string>& columns) {
  for (const std::string& column : columns) {
    if (table.has(column)) continue;
    throw Error("evaluation",
                fmt::format("{}: expected column {} in {}, found {}; `roundtrip cycle --help` "
                            "lists the signals that measure it",
                            table_name, column, table.where, fmt::join(table.columns, ", ")));
  }
}

std::vector<int64_t> need_depths(const CurveTable& table, std::string_view table_name,
                                 const std::vector<std::string>& columns) {
  need_columns(table, table_name, columns);
  std::vector<int64_t> depths = finite_depths(table, columns);
  if (depths.empty()) {
    throw Error("evaluation",
                fmt::format("{}: expected a depth at which all trajectories of {} have finite {} "
                            "above zero, found none; measure all at the same --depths",
                            table_name, table.where, fmt::join(columns, ", ")));
  }
  return depths;
}

ScoredFit need_fit(const Measurements& measured, std::string_view table_name,
                   const CalibratorKey& key) {
  auto fit = score_on_test(measured, key);
  if (!fit) {
    throw Error("evaluation",
                fmt::format("{}: expected a calibrator {} and its columns in {}, found {} "
                            "calibrators and columns {}; `roundtrip calibrate` fits it",
                            table_name, key.text(), measured.test.where,
                            measured.calibrators.calibrators.size(),
                            fmt::join(measured.test.columns, ", ")));
  }
  return *std::move(fit);
}

std::vector<std::string> left_out_note(const CurveTable& table,
                                       const std::vector<int64_t>& depths) {
  const std::vector<int64_t>& all = table.curves.front().depths;
  std::vector<int64_t> missing;
  std::set_difference(all.begin(), all.end(), depths.begin(), depths.end(),
                      std::back_inserter(missing));
  if (missing.empty()) return {};
  return {
      fmt::format("Depths {} are left out: not all trajectories have finite numbers above zero "
                  "there.",
                  fmt::join(missing, ", "))};
}

}  // namespace roundtrip
