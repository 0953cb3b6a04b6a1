#include "roundtrip/evaluation/signals.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/depth_grid.h"
#include "roundtrip/evaluation/scenario_rank.h"
#include "roundtrip/evaluation/needs.h"
#include "roundtrip/evaluation/rank_correlation.h"
#include "roundtrip/evaluation/scored_fit.h"
#include "roundtrip/evaluation/compared_signals.h"

namespace roundtrip {
namespace {

constexpr const char* kVortex = "orszag_tang";

TableSection ranking_table(const Measurements& measured) {
  TableSection table;
  table.title = "Signals: ranking the error";
  table.text =
      "Spearman's correlation with E on test trajectories: over them at a depth, and along "
      "each rollout (mean and deviation).";
  table.columns = {"signal"};
  const std::vector<int64_t> depths =
      nearest_depths(shared_depths(measured.test, {"C", "E"}), {5, 10, 20});
  for (const int64_t depth : depths) table.columns.push_back(fmt::format("at depth {}", depth));
  table.columns.insert(table.columns.end(), {"within", "within, deviation"});
  if (depths != std::vector<int64_t>{5, 10, 20}) {
    table.notes.push_back("Wanted were depths 5, 10 and 20; the nearest there are stand for them.");
  }
  for (const ComparedSignal& signal : compared_signals(measured.test, Shown::among_signals)) {
    const CorrelationEstimates found = rank_correlations(measured.test, signal.column, "E");
    std::vector<TableCell> row = {word(signal.title)};
    for (const int64_t depth : depths) row.push_back(number(found.at(depth)));
    row.push_back(number(found.within));
    row.push_back(number(found.within_sd));
    table.rows.push_back(row);
  }
  return table;
}

TableCell score_cell(const std::optional<ScoredFit>& fit, std::string_view score) {
  return fit ? fit->cell(score) : number(std::nullopt);
}

TableCell cost_cell(const Measurements& measured, const std::string& column) {
  const auto found = measured.cost.find(column);
  return number(found == measured.cost.end() ? std::nullopt : std::optional(found->second));
}

TableSection prediction_table(const Measurements& measured) {
  const auto vortex = measured.scenarios.find(kVortex);
  const bool has_vortex = vortex != measured.scenarios.end();
  TableSection table;
  table.title = "Signals: predicting the error";
  table.text = fmt::format(
      "Calibrators of log E from the signal alone and with the depth, on test trajectories{}; "
      "cost at one depth in plain rollouts.",
      has_vortex ? "; AUROC of the Orszag-Tang vortex among them" : "");
  table.columns = {"signal", "NLL", "x68", "NLL, depth", "x68, depth"};
  if (has_vortex) {
    for (const char* name : {"vortex, depth 5", "vortex, depth 10", "vortex, mean"}) {
      table.columns.emplace_back(name);
    }
  }
  table.columns.emplace_back("cost");
  for (const ComparedSignal& signal : compared_signals(measured.test, Shown::among_signals)) {
    const auto alone = score_on_test(measured, {"E", signal.column, "alone"});
    const auto depth = score_on_test(measured, {"E", signal.column, "depth"});
    std::vector<TableCell> row = {word(signal.title), score_cell(alone, "nll"),
                                  score_cell(alone, "x68"), score_cell(depth, "nll"),
                                  score_cell(depth, "x68")};
    if (has_vortex) {
      const ScenarioRank rank = scenario_rank(measured.test, vortex->second, signal.column);
      row.push_back(number(rank.at(5)));
      row.push_back(number(rank.at(10)));
      row.push_back(number(rank.by_mean));
    }
    row.push_back(cost_cell(measured, signal.column));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<Section> evaluate_signals(const Measurements& measured) {
  need_depths(measured.test, "signals", {"C", "E"});
  return {ranking_table(measured), prediction_table(measured)};
}

}  // namespace roundtrip
