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

/// What the paper states of a signal on MHD.
struct PaperSignal {
  std::string_view column;
  std::optional<double> rho20, within, within_sd, nll, x68, vortex5, vortex10, vortex_mean, cost;
};

const PaperSignal& paper_signal(const std::string& column) {
  static const std::vector<PaperSignal> rows = {
      {"C", .97, .69, .16, -.62, 1.14, 1.00, 1.00, .98, 2},
      {"spread_seed", .98, {}, {}, -.99, 1.09, .00, {}, {}, 5},
      {"", {}, {}, {}, {}, {}, {}, {}, {}, {}},  // of no other
  };
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const PaperSignal& row) { return row.column == column; });
  return found == rows.end() ? rows.back() : *found;
}

std::optional<double> paper_at(int64_t depth, int64_t stated, std::optional<double> value) {
  return depth == stated ? value : std::nullopt;
}

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
    const PaperSignal& paper = paper_signal(signal.column);
    std::vector<TableCell> row = {word(signal.title)};
    for (const int64_t depth : depths) {
      row.push_back(
          number(found.at(depth), paper_value(measured, "mhd", paper_at(depth, 20, paper.rho20))));
    }
    row.push_back(number(found.within, paper_value(measured, "mhd", paper.within)));
    row.push_back(number(found.within_sd, {}, paper_value(measured, "mhd", paper.within_sd)));
    table.rows.push_back(row);
  }
  return table;
}

TableCell score_cell(const std::optional<ScoredFit>& fit, std::string_view score,
                     std::optional<double> paper = {}) {
  return fit ? fit->cell(score, paper) : number({}, {}, paper);
}

TableCell cost_cell(const Measurements& measured, const std::string& column,
                    std::optional<double> paper) {
  const auto found = measured.cost.find(column);
  if (found == measured.cost.end()) return number({}, {}, paper);
  return number(found->second, {}, paper);
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
    const PaperSignal& paper = paper_signal(signal.column);
    const auto stated = [&](std::optional<double> x) { return paper_value(measured, "mhd", x); };
    const auto alone = score_on_test(measured, {"E", signal.column, "alone"});
    const auto depth = score_on_test(measured, {"E", signal.column, "depth"});
    std::vector<TableCell> row = {word(signal.title), score_cell(alone, "nll", stated(paper.nll)),
                                  score_cell(alone, "x68", stated(paper.x68)),
                                  score_cell(depth, "nll"), score_cell(depth, "x68")};
    if (has_vortex) {
      const ScenarioRank rank = scenario_rank(measured.test, vortex->second, signal.column);
      row.push_back(number(rank.at(5), stated(paper.vortex5)));
      row.push_back(number(rank.at(10), stated(paper.vortex10)));
      row.push_back(number(rank.by_mean, stated(paper.vortex_mean)));
    }
    row.push_back(cost_cell(measured, signal.column, stated(paper.cost)));
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
