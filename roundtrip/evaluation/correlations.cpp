#include "roundtrip/evaluation/correlations.h"

#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/needs.h"
#include "roundtrip/evaluation/rank_correlation.h"

namespace roundtrip {
namespace {

// Stated by depth for MHD; between 0.91 and 0.98 at 5, 10, 20, 40 and 80.
std::optional<double> paper_spearman(int64_t depth) {
  if (depth == 20) return .97;
  if (depth == 80) return .91;
  return std::nullopt;
}

TableSection within_table(const Measurements& measured, const CorrelationEstimates& ranks,
                          const CorrelationEstimates& logs) {
  TableSection table;
  table.title = "C and E along a rollout";
  table.text = "Correlation over the depths of each test trajectory.";
  table.columns = {"correlation", "mean", "deviation"};
  table.rows = {{word("Spearman"), number(ranks.within, paper_value(measured, "mhd", .69)),
                 number(ranks.within_sd, {}, paper_value(measured, "mhd", .16))},
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
    table.rows.push_back(
        {count(depth), number(ranks.at(depth), paper_value(measured, "mhd", paper_spearman(depth))),
         number(logs.at(depth))});
  }
  if (paper_value(measured, "mhd", 1)) {
    table.notes.push_back("The paper has Spearman 0.91 to 0.98 at depths 5, 10, 20, 40 and 80.");
  }
  return {table, within_table(measured, ranks, logs)};
}

}  // namespace roundtrip
