#include "roundtrip/study/needs.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/study/depth_grid.h"

namespace roundtrip {

void need_columns(const CurveTable& table, std::string_view study,
                  const std::vector<std::string>& columns) {
  for (const std::string& column : columns) {
    if (table.has(column)) continue;
    throw Error("study", fmt::format("{}: expected column {} in {}, found {}; `roundtrip cycle "
                                     "--help` lists the signals that measure it",
                                     study, column, table.where, fmt::join(table.columns, ", ")));
  }
}

std::vector<int64_t> need_depths(const CurveTable& table, std::string_view study,
                                 const std::vector<std::string>& columns) {
  need_columns(table, study, columns);
  std::vector<int64_t> depths = finite_depths(table, columns);
  if (depths.empty()) {
    throw Error("study", fmt::format("{}: expected a depth at which all trajectories of {} have "
                                     "finite {} above zero, found none; measure all at the same "
                                     "--depths",
                                     study, table.where, fmt::join(columns, ", ")));
  }
  return depths;
}

ScoredFit need_fit(const Evidence& evidence, std::string_view study, const CalibratorKey& key) {
  auto fit = score_on_test(evidence, key);
  if (!fit) {
    throw Error("study", fmt::format("{}: expected a calibrator {} and its columns in {}, found {} "
                                     "calibrators and columns {}; `roundtrip calibrate` fits it",
                                     study, key.text(), evidence.test.where,
                                     evidence.calibrators.calibrators.size(),
                                     fmt::join(evidence.test.columns, ", ")));
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
