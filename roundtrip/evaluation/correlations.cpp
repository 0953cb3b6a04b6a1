#include "roundtrip/evaluation/correlations.h"

#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/needs.h"
#include "roundtrip/evaluation/rank_correlation.h"

namespace roundtrip {
namespace {

TableSection within_table(const CorrelationEstimates& ranks, const CorrelationEstimates& logs) {
  TableSection table;
  table.title = "C and E along a rollout";
  table.text = "Correlation over the depths of each test trajectory.";
  table.columns = {"correlation", "mean", "deviation"};
  table.rows = {{word("Spearman"), number(ranks.within), number(ranks.within_sd)},
                {word("Pearson of logarithms"), number(logs.within), number(logs.within_sd)}};
  return table;
}

}  // namespace

std::vector<Section> evaluate_correlations(const Measurements& measured) {
  need_depths(measured.test, "correlations", {"C", "E"});
  const CorrelationEstimates ranks = rank_correlations(measured.test, "C", "E");
  const CorrelationEstimates logs = log_correlations(measured.test, "C", "E");
  TableSection table;
  table.title = "C and E at a fixed depth";
  table.text = "Correlation over the test trajectories.";
  table.columns = {"depth", "Spearman", "Pearson of logarithms"};
  for (const int64_t depth : ranks.depths) {
    table.rows.push_back({count(depth), number(ranks.at(depth)), number(logs.at(depth))});
  }
  return {table, within_table(ranks, logs)};
}

}  // namespace roundtrip
