#include "roundtrip/calibration/conformal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "roundtrip/base/error.h"

// Papadopoulos et al. 2002; Lei et al. 2018, section 2.2. Depths of one rollout are not exchangeable
// with one another, so trajectories are what is counted: one score each at a depth or over all
// depths, one weight each where neighbouring depths are pooled (Lee, Barber & Willett 2023).

namespace roundtrip {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();
// (19 + 1) * 0.95 comes out a rounding above 19 and must not become 20.
constexpr double kRounding = 1e-9;

using TrajectoryScores = std::map<int64_t, double>;     // depth to z
using AllScores = std::map<int64_t, TrajectoryScores>;  // by trajectory
using PooledScores = std::vector<std::vector<double>>;  // by trajectory

// The scores that trajectories have at some depths; those without any are left out.
PooledScores scores_at(const std::vector<int64_t>& depths, const AllScores& trajectories) {
  PooledScores out;
  for (const auto& [trajectory, scores] : trajectories) {
    std::vector<double> own;
    for (const int64_t depth : depths) {
      const auto found = scores.find(depth);
      if (found == scores.end()) continue;
      own.push_back(std::isnan(found->second) ? kNoBound : found->second);
    }
    if (!own.empty()) out.push_back(own);
  }
  return out;
}

PooledScores each(PooledScores scores, double (*change)(double)) {
  for (std::vector<double>& own : scores) {
    for (double& z : own) z = change(z);
  }
  return scores;
}

// The lowest number instead of minus infinity: JSON knows neither, and a file writes +infinity as
// null.
double floored(double z) { return std::max(z, std::numeric_limits<double>::lowest()); }

ConformalGroup group_of(const std::vector<int64_t>& depths, const PooledScores& scores,
                        const std::vector<double>& levels) {
  ConformalGroup group{.depths = depths,
                       .trajectories = static_cast<int64_t>(scores.size()),
                       .two_sided = {},
                       .upper = {}};
  for (const double level : levels) {
    group.two_sided.push_back(pooled_quantile(each(scores, std::abs), level));
    group.upper.push_back(pooled_quantile(each(scores, floored), level));
  }
  return group;
}

// The largest score of every trajectory that has all depths.
ConformalGroup group_of_all(const std::vector<int64_t>& depths, const AllScores& trajectories,
                            const std::vector<double>& levels) {
  ConformalGroup group{.depths = depths, .trajectories = 0, .two_sided = {}, .upper = {}};
  std::vector<double> two_sided, upper;
  for (const std::vector<double>& own : scores_at(depths, trajectories)) {
    if (own.size() < depths.size()) continue;
    double largest = 0, highest = std::numeric_limits<double>::lowest();
    for (const double z : own) {
      largest = std::max(largest, std::abs(z));
      highest = std::max(highest, floored(z));
    }
    two_sided.push_back(largest);
    upper.push_back(highest);
  }
  group.trajectories = static_cast<int64_t>(upper.size());
  for (const double level : levels) {
    group.two_sided.push_back(conformal_quantile(two_sided, level));
    group.upper.push_back(conformal_quantile(upper, level));
  }
  return group;
}

// What the highest level that so many trajectories can reach needs; 1 when none can.
int64_t trajectories_wanted(int64_t trajectories, const std::vector<double>& levels) {
  int64_t wanted = 1;
  for (const double level : levels) {
    const int64_t fewest = fewest_trajectories(level);
    if (fewest <= trajectories) wanted = std::max(wanted, fewest);
  }
  return wanted;
}

// Neighbours join until they have `wanted` different trajectories; a rest joins the last.
std::vector<std::vector<int64_t>> neighbours(const std::vector<int64_t>& depths,
                                             const AllScores& trajectories, int64_t wanted) {
  std::vector<std::vector<int64_t>> groups;
  std::vector<int64_t> open;
  for (const int64_t depth : depths) {
    open.push_back(depth);
    if (static_cast<int64_t>(scores_at(open, trajectories).size()) < wanted) continue;
    groups.push_back(std::exchange(open, {}));
  }
  if (!open.empty() && groups.empty()) groups.push_back({});
  if (!open.empty()) groups.back().insert(groups.back().end(), open.begin(), open.end());
  return groups;
}

std::optional<size_t> index_of(const std::vector<double>& levels, double level) {
  const auto found = std::find(levels.begin(), levels.end(), level);
  if (found == levels.end()) return std::nullopt;
  return static_cast<size_t>(found - levels.begin());
}

std::optional<BandQuantiles> quantiles_of(const ConformalGroup& group, size_t index, double level) {
  if (group.trajectories < fewest_trajectories(level)) return std::nullopt;
  return BandQuantiles{.two_sided = group.two_sided[index], .upper = group.upper[index]};
}

}  // namespace

double conformal_quantile(std::vector<double> scores, double level) {
  ensure(level > 0 && level < 1, "a conformal level lies between 0 and 1");
  const auto n = static_cast<double>(scores.size());
  const double rank = std::ceil((n + 1) * level - kRounding);
  if (rank > n) return kNoBound;
  const auto at = scores.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
  std::nth_element(scores.begin(), at, scores.end());
  return *at;
}

double pooled_quantile(const std::vector<std::vector<double>>& scores, double level) {
  ensure(level > 0 && level < 1, "a conformal level lies between 0 and 1");
  std::vector<std::pair<double, double>> weighted;  // score, share of one trajectory
  for (const std::vector<double>& own : scores) {
    for (const double z : own) weighted.emplace_back(z, 1.0 / static_cast<double>(own.size()));
  }
  std::sort(weighted.begin(), weighted.end());
  const double enough = (static_cast<double>(scores.size()) + 1) * level - kRounding;
  double sum = 0;
  for (const auto& [z, share] : weighted) {
    sum += share;
    if (sum >= enough) return z;
  }
  return kNoBound;
}

int64_t fewest_trajectories(double level) {
  return static_cast<int64_t>(std::ceil(level / (1 - level) - kRounding));
}

const ConformalGroup* ConformalTable::find(int64_t depth) const {
  for (const ConformalGroup& group : groups) {
    if (std::binary_search(group.depths.begin(), group.depths.end(), depth)) return &group;
  }
  return nullptr;
}

std::vector<int64_t> ConformalTable::depths() const {
  std::vector<int64_t> out;
  for (const ConformalGroup& group : groups) {
    out.insert(out.end(), group.depths.begin(), group.depths.end());
  }
  return out;
}

std::optional<BandQuantiles> ConformalTable::at(int64_t depth, double level) const {
  const auto index = index_of(levels, level);
  if (!index) return std::nullopt;
  if (const ConformalGroup* group = find(depth)) return quantiles_of(*group, *index, level);
  const std::vector<int64_t> known = depths();
  const auto above = std::upper_bound(known.begin(), known.end(), depth);
  if (above == known.begin() || above == known.end()) return std::nullopt;
  const auto a = at(*(above - 1), level), b = at(*above, level);
  if (!a || !b) return std::nullopt;
  return BandQuantiles{.two_sided = std::max(a->two_sided, b->two_sided),
                       .upper = std::max(a->upper, b->upper)};
}

std::optional<BandQuantiles> ConformalTable::at_all(int64_t depth, double level) const {
  const auto index = index_of(levels, level);
  if (!index || !all || find(depth) == nullptr) return std::nullopt;
  return quantiles_of(*all, *index, level);
}

ConformalTable conformal_table(std::span<const DepthScore> scores,
                               const std::vector<double>& levels) {
  AllScores trajectories;
  std::set<int64_t> seen;
  for (const DepthScore& score : scores) {
    trajectories[score.trajectory][score.depth] = score.z;
    if (!std::isnan(score.z)) seen.insert(score.depth);
  }
  const std::vector<int64_t> depths(seen.begin(), seen.end());
  ConformalTable table{.levels = levels, .groups = {}, .all = {}};
  if (depths.empty()) return table;
  const auto most = static_cast<int64_t>(scores_at(depths, trajectories).size());
  for (const auto& group : neighbours(depths, trajectories, trajectories_wanted(most, levels))) {
    table.groups.push_back(group_of(group, scores_at(group, trajectories), levels));
  }
  table.all = group_of_all(depths, trajectories, levels);
  return table;
}

ErrorBand error_band(const GaussianPrediction& prediction, double quantile) {
  return {.low = std::exp(prediction.mean - quantile * prediction.sigma),
          .high = std::exp(prediction.mean + quantile * prediction.sigma)};
}

}  // namespace roundtrip
