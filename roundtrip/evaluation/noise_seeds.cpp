#include "roundtrip/evaluation/noise_seeds.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/needs.h"
#include "roundtrip/evaluation/rank_correlation.h"

namespace roundtrip {
namespace {

// The calibrators are those of the own noise: what they say of other noise is what is asked.
std::vector<TableCell> seed_row(const std::string& seed, const CurveTable& curves,
                                const Measurements& measured) {
  Measurements one;
  one.system = measured.system;
  one.calibrators = measured.calibrators;
  one.test = curves;
  const ScoredFit fit = need_fit(one, "noise_seeds", {"E", "C", "depth"});
  const CorrelationEstimates ranks = rank_correlations(curves, "C", "E");
  std::vector<TableCell> cells = {word(seed)};
  for (const int64_t depth : {5, 10, 20}) cells.push_back(number(ranks.at(depth)));
  for (const char* score : {"nll", "x68", "cov95"}) cells.push_back(fit.cell(score));
  return cells;
}

/// What was rolled out with every noise.
struct Shared {
  size_t trajectories = 0;  // the first so many
  std::set<int64_t> depths;
};

CurveTable part_of(const CurveTable& table, const Shared& shared) {
  CurveTable part{.where = table.where, .columns = table.columns, .curves = {}};
  for (size_t i = 0; i < shared.trajectories; ++i) {
    const Curve& whole = table.curves[i];
    Curve curve{.split = whole.split, .trajectory = whole.trajectory, .depths = {}, .columns = {}};
    for (size_t at = 0; at < whole.size(); ++at) {
      if (!shared.depths.contains(whole.depths[at])) continue;
      std::map<std::string, double> values;
      for (const auto& [name, column] : whole.columns) values[name] = column[at];
      curve.add(whole.depths[at], values);
    }
    part.curves.push_back(std::move(curve));
  }
  return part;
}

void check_same_trajectories(const CurveTable& noise, const CurveTable& test, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (noise.curves[i].trajectory == test.curves[i].trajectory) continue;
    throw Error("evaluation",
                fmt::format("noise_seeds: expected the trajectories of {} in {}, found {} instead "
                            "of {}",
                            test.where, noise.where, noise.curves[i].trajectory,
                            test.curves[i].trajectory));
  }
}

}  // namespace

std::vector<Section> evaluate_noise_seeds(const Measurements& measured) {
  if (measured.noises.empty()) {
    throw Error(
        "evaluation",
        "noise_seeds: expected tables noise-1.csv, noise-2.csv ..., found none; `roundtrip "
        "reproduce` measures them, or `roundtrip cycle sampler.noise_seed=1 --out noise-1.csv`");
  }
  const std::vector<int64_t> all = need_depths(measured.test, "noise_seeds", {"C", "E"});
  Shared shared{.trajectories = measured.test.curves.size(), .depths = {all.begin(), all.end()}};
  for (const auto& [seed, table] : measured.noises) {
    shared.trajectories = std::min(shared.trajectories, table.curves.size());
    check_same_trajectories(table, measured.test, shared.trajectories);
    const std::vector<int64_t> there = need_depths(table, "noise_seeds", {"C", "E"});
    std::erase_if(shared.depths, [&](int64_t depth) {
      return std::find(there.begin(), there.end(), depth) == there.end();
    });
  }
  if (shared.depths.empty()) {
    throw Error("evaluation",
                fmt::format("noise_seeds: expected depths that {} shares with the tables of other "
                            "noises, found none; measure them at the same depths",
                            measured.test.where));
  }
  TableSection table;
  table.title = "Other initial noise";
  table.text = fmt::format(
      "The first {} test trajectories at {} depths. Calibrators were fitted to rollouts from the "
      "model's own initial noise; the others are of the seeds after it.",
      shared.trajectories, shared.depths.size());
  table.columns = {"noise",         "Spearman at 5", "Spearman at 10", "Spearman at 20",
                   "NLL, C, depth", "x68",           "in 2 sigma"};
  table.rows.push_back(seed_row("own", part_of(measured.test, shared), measured));
  for (const auto& [seed, curves] : measured.noises) {
    table.rows.push_back(seed_row("+" + seed, part_of(curves, shared), measured));
  }
  return {table};
}

}  // namespace roundtrip
