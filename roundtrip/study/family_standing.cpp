#include "roundtrip/study/family_standing.h"

#include <algorithm>
#include <iterator>

#include "roundtrip/metrics/novelty.h"
#include "roundtrip/study/depth_grid.h"

namespace roundtrip {
namespace {

// AUROC at every depth and, last, by the mean.
std::vector<std::optional<double>> standings(const CurveGrid& test, const CurveGrid& family) {
  if (test.trajectories.empty() || family.trajectories.empty()) {
    return std::vector<std::optional<double>>(test.depths.size() + 1);
  }
  const Novelty found = novelty(test, family);
  std::vector<std::optional<double>> values = found.at_depth;
  values.push_back(found.by_mean);
  return values;
}

}  // namespace

Estimate FamilyStanding::at(int64_t depth) const {
  const auto found = std::find(depths.begin(), depths.end(), depth);
  return found == depths.end() ? Estimate{} : at_depth[static_cast<size_t>(found - depths.begin())];
}

FamilyStanding family_standing(const CurveTable& test, const CurveTable& family,
                               const std::string& column) {
  const auto a = shared_depths(test, {column}), b = shared_depths(family, {column});
  FamilyStanding result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result.depths));
  if (result.depths.empty()) return {};
  const CurveGrid reference = grid_of(test, column, result.depths);
  const CurveGrid others = grid_of(family, column, result.depths);
  const size_t known = test.curves.size();
  result.at_depth =
      estimate_each(known + family.curves.size(), [&](std::span<const size_t> chosen) {
        const auto [of_test, of_family] = divide_choice(chosen, known);
        return standings(chosen_trajectories(reference, of_test),
                         chosen_trajectories(others, of_family));
      });
  result.by_mean = result.at_depth.back();
  result.at_depth.pop_back();
  return result;
}

}  // namespace roundtrip
