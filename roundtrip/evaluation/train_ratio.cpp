#include "roundtrip/evaluation/train_ratio.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/depth_grid.h"
#include "roundtrip/evaluation/needs.h"

namespace roundtrip {
namespace {

// Ratio of means at every depth and, last, of the means over these depths.
std::vector<std::optional<double>> mean_ratios(const CurveGrid& test, const CurveGrid& train) {
  if (test.trajectories.empty() || train.trajectories.empty()) {
    return std::vector<std::optional<double>>(test.depths.size() + 1);
  }
  std::vector<std::optional<double>> ratios;
  const std::vector<double> high = depth_means(test), low = depth_means(train);
  double above = 0, below = 0;
  for (size_t i = 0; i < high.size(); ++i) {
    ratios.emplace_back(high[i] / low[i]);
    above += high[i];
    below += low[i];
  }
  ratios.emplace_back(above / below);
  return ratios;
}

std::vector<int64_t> depths_of_both(const CurveTable& test, const CurveTable& train) {
  const auto a = need_depths(test, "train_ratio", {"E"});
  const auto b = need_depths(train, "train_ratio", {"E"});
  std::vector<int64_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  if (both.empty()) {
    throw Error("evaluation",
                fmt::format("train_ratio: expected a depth that {} and {} have, found none; "
                            "measure both at the same --depths",
                            test.where, train.where));
  }
  return both;
}

}  // namespace

std::vector<Section> evaluate_train_ratio(const Measurements& measured) {
  if (!measured.train) {
    throw Error("evaluation",
                fmt::format("train_ratio: expected train.csv beside {}, found none; measure "
                            "with `roundtrip cycle --split train --out train.csv`",
                            measured.test.where));
  }
  const std::vector<int64_t> depths = depths_of_both(measured.test, *measured.train);
  const CurveGrid test = grid_of(measured.test, "E", depths);
  const CurveGrid train = grid_of(*measured.train, "E", depths);
  const size_t held_out = test.trajectories.size();
  const auto found =
      estimate_each(held_out + train.trajectories.size(), [&](std::span<const size_t> chosen) {
        const auto [of_test, of_train] = divide_choice(chosen, held_out);
        return mean_ratios(chosen_trajectories(test, of_test),
                           chosen_trajectories(train, of_train));
      });
  TableSection table;
  table.title = "Error of test over training trajectories";
  table.text = fmt::format(
      "Mean E of {} test trajectories over that of {} the model was trained on. "
      "Well above 1, rollouts of the training calibrate nothing else.",
      held_out, train.trajectories.size());
  table.columns = {"depth", "ratio"};
  for (size_t i = 0; i < depths.size(); ++i) {
    table.rows.push_back({count(depths[i]), number(found[i])});
  }
  table.rows.push_back({word("all depths"), number(found.back())});
  return {table};
}

}  // namespace roundtrip
