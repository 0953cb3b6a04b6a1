#include "roundtrip/evaluation/high_error.h"

#include <algorithm>

#include "roundtrip/metrics/auroc.h"
#include "roundtrip/metrics/groups.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/depth_grid.h"
#include "roundtrip/evaluation/needs.h"
#include "roundtrip/evaluation/compared_signals.h"

namespace roundtrip {
namespace {

constexpr double kHighFraction = 0.2;

TableCell high_error_cell(const CurveTable& table, const std::string& signal, int64_t depth) {
  const std::vector<int64_t> known = shared_depths(table, {signal});
  if (!std::binary_search(known.begin(), known.end(), depth)) return number(std::nullopt);
  const std::vector<double> score = grid_of(table, signal, {depth}).values;
  const std::vector<double> error = grid_of(table, "E", {depth}).values;
  return number(estimate(score.size(), [&](std::span<const size_t> chosen) {
    return auroc_of_high_errors(take(score, chosen), take(error, chosen), kHighFraction);
  }));
}

}  // namespace

std::vector<Section> evaluate_high_error(const Measurements& measured) {
  const std::vector<int64_t> depths = need_depths(measured.test, "high_error", {"C", "E"});
  TableSection table;
  table.title = "Telling the worst fifth";
  table.text = "AUROC for E in its top 20 percent among the test trajectories at a depth.";
  table.columns = {"depth"};
  const std::vector<ComparedSignal> signals =
      compared_signals(measured.test, Shown::in_every_table);
  for (const ComparedSignal& signal : signals) table.columns.push_back(signal.title);
  for (const int64_t depth : depths) {
    table.rows.push_back({count(depth)});
    for (const ComparedSignal& signal : signals) {
      table.rows.back().push_back(high_error_cell(measured.test, signal.column, depth));
    }
  }
  table.notes = left_out_note(measured.test, depths);
  return {table};
}

}  // namespace roundtrip
