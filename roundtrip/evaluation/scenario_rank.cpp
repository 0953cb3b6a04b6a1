#include "roundtrip/evaluation/scenario_rank.h"

#include <algorithm>
#include <iterator>

#include "roundtrip/metrics/percentile_rank.h"
#include "roundtrip/evaluation/depth_grid.h"

namespace roundtrip {
namespace {

// AUROC at every depth and, last, by the mean.
std::vector<std::optional<double>> ranks_of(const CurveGrid& test, const CurveGrid& scenario) {
  if (test.trajectories.empty() || scenario.trajectories.empty()) {
    return std::vector<std::optional<double>>(test.depths.size() + 1);
  }
  const PercentileRanks found = percentile_ranks(test, scenario);
  std::vector<std::optional<double>> values = found.at_depth;
  values.push_back(found.by_mean);
  return values;
}

}  // namespace

Estimate ScenarioRank::at(int64_t depth) const {
  const auto found = std::find(depths.begin(), depths.end(), depth);
  return found == depths.end() ? Estimate{} : at_depth[static_cast<size_t>(found - depths.begin())];
}

ScenarioRank scenario_rank(const CurveTable& test, const CurveTable& scenario,
                           const std::string& column) {
  const auto a = shared_depths(test, {column}), b = shared_depths(scenario, {column});
  ScenarioRank result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result.depths));
  if (result.depths.empty()) return {};
  const CurveGrid reference = grid_of(test, column, result.depths);
  const CurveGrid others = grid_of(scenario, column, result.depths);
  const size_t known = test.curves.size();
  result.at_depth =
      estimate_each(known + scenario.curves.size(), [&](std::span<const size_t> chosen) {
        const auto [of_test, of_scenario] = divide_choice(chosen, known);
        return ranks_of(chosen_trajectories(reference, of_test),
                         chosen_trajectories(others, of_scenario));
      });
  result.by_mean = result.at_depth.back();
  result.at_depth.pop_back();
  return result;
}

}  // namespace roundtrip
