#include "roundtrip/evaluation/scenario_errors.h"

#include <algorithm>

#include "roundtrip/metrics/auroc.h"
#include "roundtrip/metrics/groups.h"
#include "roundtrip/metrics/quantile.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/depth_grid.h"
#include "roundtrip/evaluation/compared_signals.h"

namespace roundtrip {
namespace {

using Tables = std::vector<const CurveTable*>;

// Depths of the test table with finite E that all scenarios have too.
std::vector<int64_t> common_depths(const CurveTable& test, const Tables& scenarios) {
  std::vector<int64_t> depths = finite_depths(test, {"E"});
  std::erase_if(depths, [&](int64_t depth) {
    return !std::all_of(scenarios.begin(), scenarios.end(), [&](const CurveTable* scenario) {
      const std::vector<int64_t> known = shared_depths(*scenario, {"C", "E"});
      return std::binary_search(known.begin(), known.end(), depth);
    });
  });
  return depths;
}

// Test trajectories first, then those of the scenarios.
CurveGrid pooled_grid(const CurveTable& test, const Tables& scenarios, const std::string& column,
                      const std::vector<int64_t>& depths) {
  CurveGrid grid = grid_of(test, column, depths);
  for (const CurveTable* scenario : scenarios) {
    const CurveGrid more = grid_of(*scenario, column, depths);
    for (size_t i = 0; i < more.trajectories.size(); ++i) {
      grid.trajectories.push_back(static_cast<int64_t>(grid.trajectories.size()));
    }
    grid.values.insert(grid.values.end(), more.values.begin(), more.values.end());
  }
  return grid;
}

// AUROC at every depth and, last, their mean over the depths that have one.
std::vector<Estimate> error_aurocs(const CurveGrid& score, const CurveGrid& error,
                                   const std::vector<double>& thresholds) {
  return estimate_each(score.trajectories.size(), [&](std::span<const size_t> chosen) {
    std::vector<std::optional<double>> values;
    double sum = 0, defined = 0;
    for (size_t i = 0; i < thresholds.size(); ++i) {
      values.push_back(auroc_of_errors_above(take(depth_column(score, i), chosen),
                                             take(depth_column(error, i), chosen), thresholds[i]));
      sum += values.back().value_or(0);
      defined += values.back() ? 1 : 0;
    }
    values.push_back(defined > 0 ? std::optional(sum / defined) : std::nullopt);
    return values;
  });
}

bool known_to_all(const Tables& tables, const std::string& column) {
  return std::all_of(tables.begin(), tables.end(),
                     [&](const CurveTable* table) { return table->has(column); });
}

}  // namespace

TableSection scenario_errors_table(const Measurements& measured, const std::string& title,
                                 const Tables& scenarios) {
  TableSection table;
  table.title = "Telling high errors: " + title;
  table.text =
      "AUROC for E above the 95th percentile of the test rollouts' E at that depth, among "
      "test rollouts and these together.";
  table.columns = {"depth"};
  const std::vector<int64_t> depths = common_depths(measured.test, scenarios);
  const CurveGrid error = pooled_grid(measured.test, scenarios, "E", depths);
  const CurveGrid of_test = grid_of(measured.test, "E", depths);
  std::vector<double> thresholds;
  for (size_t i = 0; i < depths.size(); ++i) {
    thresholds.push_back(quantile(depth_column(of_test, i), .95));
    table.rows.push_back({count(depths[i])});
  }
  table.rows.push_back({word("mean over depths")});
  for (const ComparedSignal& signal : compared_signals(measured.test, Shown::in_every_table)) {
    if (!known_to_all(scenarios, signal.column)) continue;
    table.columns.push_back(signal.title);
    const CurveGrid score = pooled_grid(measured.test, scenarios, signal.column, depths);
    const std::vector<Estimate> found = error_aurocs(score, error, thresholds);
    for (size_t i = 0; i < found.size(); ++i) table.rows[i].push_back(number(found[i]));
  }
  return table;
}

}  // namespace roundtrip
