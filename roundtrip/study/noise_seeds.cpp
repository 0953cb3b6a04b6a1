#include "roundtrip/study/noise_seeds.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/study/cells.h"
#include "roundtrip/study/needs.h"
#include "roundtrip/study/rank_correlation.h"

namespace roundtrip {
namespace {

// The calibrators are those of seed 0: what they say of other noise is what is asked.
std::vector<TableCell> seed_row(const std::string& seed, const CurveTable& curves,
                                const Evidence& evidence) {
  Evidence one;
  one.system = evidence.system;
  one.calibrators = evidence.calibrators;
  one.test = curves;
  const ScoredFit fit = need_fit(one, "noise_seeds", {"E", "C", "depth"});
  const CorrelationEstimates ranks = rank_correlations(curves, "C", "E");
  std::vector<TableCell> cells = {word(seed)};
  for (const int64_t depth : {5, 10, 20}) cells.push_back(number(ranks.at(depth)));
  for (const char* score : {"nll", "x68", "cov95"}) cells.push_back(fit.cell(score));
  return cells;
}

// The trajectories that were rolled out with every noise.
CurveTable first_curves(const CurveTable& table, size_t count) {
  CurveTable first = table;
  if (first.curves.size() > count) first.curves.resize(count);
  return first;
}

void check_same_trajectories(const CurveTable& noise, const CurveTable& test, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (noise.curves[i].trajectory == test.curves[i].trajectory) continue;
    throw Error("study", fmt::format("noise_seeds: expected the trajectories of {} in {}, found {} "
                                     "instead of {}",
                                     test.where, noise.where, noise.curves[i].trajectory,
                                     test.curves[i].trajectory));
  }
}

}  // namespace

std::vector<Section> study_noise_seeds(const Evidence& evidence) {
  if (evidence.noises.empty()) {
    throw Error(
        "study",
        "noise_seeds: expected tables noise-1.csv, noise-2.csv ..., found none; `roundtrip "
        "reproduce` measures them, or `roundtrip cycle sampler.noise_seed=1 --out noise-1.csv`");
  }
  size_t shared = evidence.test.curves.size();
  for (const auto& [seed, table] : evidence.noises) {
    shared = std::min(shared, table.curves.size());
    check_same_trajectories(table, evidence.test, shared);
  }
  TableSection table;
  table.title = "Other start noise";
  table.text = fmt::format(
      "The first {} test trajectories. Calibrators were fitted to rollouts from the model's own "
      "start "
      "noise; the others are of the seeds after it.",
      shared);
  table.columns = {"noise",         "Spearman at 5", "Spearman at 10", "Spearman at 20",
                   "NLL, C, depth", "x68",           "in 2 sigma"};
  table.rows.push_back(seed_row("own", first_curves(evidence.test, shared), evidence));
  for (const auto& [seed, curves] : evidence.noises) {
    table.rows.push_back(seed_row("+" + seed, first_curves(curves, shared), evidence));
  }
  return {table};
}

}  // namespace roundtrip
