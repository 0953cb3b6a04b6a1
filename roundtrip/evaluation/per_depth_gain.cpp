#include "roundtrip/evaluation/per_depth_gain.h"

#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/held_out_rows.h"
#include "roundtrip/evaluation/needs.h"
#include "roundtrip/evaluation/scored_fit.h"

namespace roundtrip {
namespace {

/// One fit against another, at every depth and over all.
struct ComparedFits {
  const char* title;
  std::optional<ScoredFit> better, reference;
};

TableCell gain_at(const ComparedFits& fits, int64_t depth) {
  const ClusteredMean found = gain(rows_at_depth(fits.better->predictions, depth),
                                   rows_at_depth(fits.reference->predictions, depth));
  const double margin = 2 * found.standard_error;
  return number(found.mean, Interval{found.mean - margin, found.mean + margin, 0});
}

}  // namespace

std::vector<Section> evaluate_per_depth_gain(const Measurements& measured) {
  const ScoredFit alone = need_fit(measured, "per_depth_gain", {"E", "C", "alone"});
  const ScoredFit depth_only = need_fit(measured, "per_depth_gain", {"E", "depth", "alone"});
  const auto both = score_on_test(measured, {"E", "C", "depth"});
  std::vector<ComparedFits> compared = {
      {"C over depth", alone, depth_only},
      {"C, depth over depth", both, depth_only},
      {"C, depth over best baseline", both, best_baseline_on_test(measured, "E")}};
  std::erase_if(compared, [](const ComparedFits& fits) { return !fits.better || !fits.reference; });
  TableSection table;
  table.title = "Gain by depth";
  table.text = "Nats a test row, paired, with two standard errors on either side.";
  table.columns = {"depth"};
  for (const ComparedFits& fits : compared) table.columns.emplace_back(fits.title);
  for (const int64_t depth : depths_of(alone.predictions)) {
    table.rows.push_back({count(depth)});
    for (const ComparedFits& fits : compared) table.rows.back().push_back(gain_at(fits, depth));
  }
  table.rows.push_back({word("all depths")});
  for (const ComparedFits& fits : compared) {
    table.rows.back().push_back(gain_cell(*fits.better, fits.reference));
  }
  return {table};
}

}  // namespace roundtrip
