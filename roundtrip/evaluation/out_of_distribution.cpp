#include "roundtrip/evaluation/out_of_distribution.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/report/named_curves.h"
#include "roundtrip/evaluation/alarm_rates.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/depth_grid.h"
#include "roundtrip/evaluation/scenario_errors.h"
#include "roundtrip/evaluation/scenario_rank.h"
#include "roundtrip/evaluation/needs.h"
#include "roundtrip/evaluation/compared_signals.h"

namespace roundtrip {
namespace {

// The truth beside C.
std::vector<ComparedSignal> compared_columns(const CurveTable& test) {
  std::vector<ComparedSignal> signals = compared_signals(test, Shown::in_every_table);
  signals.insert(signals.begin() + 1, ComparedSignal{"E", "E"});
  return signals;
}

TableSection rank_table(const Measurements& measured, const std::string& name,
                            const CurveTable& scenario) {
  TableSection table;
  table.title = "Out of distribution: " + name;
  table.text = fmt::format(
      "Mean percentile of its {} rollouts among the test ones, which is the "
      "AUROC of telling the two apart. E is the truth: whether they are worse.",
      scenario.curves.size());
  table.columns = {"depth"};
  std::vector<ScenarioRank> found;
  for (const ComparedSignal& signal : compared_columns(measured.test)) {
    ScenarioRank rank = scenario_rank(measured.test, scenario, signal.column);
    if (rank.depths.empty()) continue;
    table.columns.push_back(signal.title);
    found.push_back(std::move(rank));
  }
  const auto add = [&](TableCell title, std::optional<int64_t> depth) {
    std::vector<TableCell> row = {std::move(title)};
    for (const ScenarioRank& rank : found) {
      row.push_back(number(depth ? rank.at(*depth) : rank.by_mean));
    }
    table.rows.push_back(row);
  };
  for (const int64_t depth : shared_depths(scenario, {"C"})) add(count(depth), depth);
  add(word("mean over depths"), {});
  return table;
}

// Of single rollouts: many marks would hide the histogram.
std::vector<Mark> single_marks(const Measurements& measured, int64_t depth) {
  std::vector<Mark> marks;
  for (const auto& [name, scenario] : measured.scenarios) {
    const std::vector<int64_t> depths = finite_depths(scenario, {"C"});
    if (scenario.curves.size() != 1 || !std::binary_search(depths.begin(), depths.end(), depth)) {
      continue;
    }
    marks.push_back({name, log_of(grid_of(scenario, "C", {depth})).values.front()});
  }
  return marks;
}

HistogramSection histograms(const Measurements& measured, const std::vector<int64_t>& depths) {
  HistogramSection section;
  section.title = "log C of the test rollouts";
  section.text = "Rollouts of other kinds are marked where there is one of a kind.";
  section.axis = "log C";
  for (const int64_t depth : nearest_depths(depths, {1, 5, 10, 20, 40, 80})) {
    Histogram histogram = to_histogram(fmt::format("test, depth {}", depth),
                                       log_of(grid_of(measured.test, "C", {depth})).values);
    histogram.depth = depth;
    histogram.marks = single_marks(measured, depth);
    section.histograms.push_back(std::move(histogram));
  }
  return section;
}

}  // namespace

std::vector<Section> evaluate_out_of_distribution(const Measurements& measured) {
  const std::vector<int64_t> depths = need_depths(measured.test, "out_of_distribution", {"C", "E"});
  if (measured.scenarios.empty()) {
    throw Error("evaluation",
                fmt::format("out_of_distribution: expected tables ood-<name>.csv of other kinds of "
                            "rollouts beside {}, found none; measure with `roundtrip cycle --data "
                            "SCENARIO --out ood-<name>.csv`",
                            measured.test.where));
  }
  std::vector<Section> sections;
  for (const auto& [name, scenario] : measured.scenarios) {
    need_columns(scenario, "out_of_distribution", {"C", "E"});
    sections.emplace_back(rank_table(measured, name, scenario));
    sections.emplace_back(scenario_errors_table(measured, name, {&scenario}));
  }
  if (measured.scenarios.size() > 1) {
    std::vector<const CurveTable*> all;
    for (const auto& [name, scenario] : measured.scenarios) all.push_back(&scenario);
    sections.emplace_back(scenario_errors_table(measured, "all kinds", all));
  }
  if (const auto rates = alarm_rates_table(measured)) sections.emplace_back(*rates);
  sections.emplace_back(histograms(measured, depths));
  return sections;
}

}  // namespace roundtrip
