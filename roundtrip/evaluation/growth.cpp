#include "roundtrip/evaluation/growth.h"

#include <cmath>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/calibration/plan.h"
#include "roundtrip/metrics/growth_fit.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/depth_grid.h"
#include "roundtrip/evaluation/needs.h"

namespace roundtrip {
namespace {

// Of the mean, and of its root.
struct MeanGrowth {
  GrowthFit square, root;
};

MeanGrowth mean_growth(const CurveGrid& grid) {
  const std::vector<double> depth(grid.depths.begin(), grid.depths.end());
  const std::vector<double> square = depth_means(grid);
  std::vector<double> root;
  for (const double mean : square) root.push_back(std::sqrt(mean));
  return {fit_growth(depth, square), fit_growth(depth, root)};
}

std::vector<Estimate> growth_of(const CurveGrid& grid) {
  return estimate_each(grid.trajectories.size(), [&](std::span<const size_t> chosen) {
    const MeanGrowth fit = mean_growth(chosen_trajectories(grid, chosen));
    return std::vector<std::optional<double>>{fit.square.first, fit.square.ratio,
                                              fit.square.max_misfit, fit.root.ratio,
                                              fit.root.max_misfit};
  });
}

}  // namespace

std::vector<Section> evaluate_growth(const Measurements& measured) {
  if (need_depths(measured.test, "growth", {"E"}).size() < 2) {
    throw Error("evaluation", fmt::format("growth: expected two depths at least in {}, found one",
                                     measured.test.where));
  }
  TableSection table;
  table.title = "Growth of the mean error";
  table.text =
      "e_1 r^(d - 1) through the mean over test trajectories at every depth d, by least "
      "squares on logarithms.";
  table.columns = {"error", "depths", "e_1", "r", "largest misfit", "r of the root", "its misfit"};
  for (const std::string& target : target_columns(measured.test.columns)) {
    const std::vector<int64_t> depths = finite_depths(measured.test, {target});
    if (depths.size() < 2) continue;
    const auto found = growth_of(grid_of(measured.test, target, depths));
    table.rows.push_back({word(target), word(fmt::format("{}-{}", depths.front(), depths.back()))});
    for (const Estimate& value : found) table.rows.back().push_back(number(value));
  }
  return {table};
}

}  // namespace roundtrip
