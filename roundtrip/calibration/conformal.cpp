#include "roundtrip/calibration/conformal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "roundtrip/base/error.h"

// Papadopoulos et al. 2002; Lei et al. 2018, section 2.2. One score per trajectory, because depths
// of one rollout are not exchangeable with one another.

namespace roundtrip {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();
// (19 + 1) * 0.95 comes out a rounding above 19 and must not become 20.
constexpr double kRounding = 1e-9;

using TrajectoryScores = std::map<int64_t, double>;  // depth to z

ConformalGroup group_of(const std::vector<int64_t>& depths,
                        const std::map<int64_t, TrajectoryScores>& trajectories,
                        const std::vector<double>& levels) {
  ConformalGroup group{.depths = depths, .trajectories = 0, .two_sided = {}, .upper = {}};
  std::vector<double> two_sided, upper;
  for (const auto& [trajectory, scores] : trajectories) {
    // The lowest number, not minus infinity: JSON knows neither, and a file writes +infinity as
    // null.
    double largest = 0, highest = std::numeric_limits<double>::lowest();
    bool whole = true;
    for (const int64_t depth : depths) {
      const auto found = scores.find(depth);
      whole = whole && found != scores.end();
      if (!whole) break;
      const double z = std::isnan(found->second) ? kNoBound : found->second;
      largest = std::max(largest, std::abs(z));
      highest = std::max(highest, z);
    }
    if (!whole) continue;
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

int64_t fewest_trajectories(double level) {
  return static_cast<int64_t>(std::ceil(level / (1 - level) - kRounding));
}

const ConformalGroup* ConformalTable::find(std::span<const int64_t> depths) const {
  for (const ConformalGroup& group : groups) {
    if (std::equal(group.depths.begin(), group.depths.end(), depths.begin(), depths.end())) {
      return &group;
    }
  }
  return nullptr;
}

const ConformalGroup* ConformalTable::find(int64_t depth) const {
  return find(std::span(&depth, 1));
}

ConformalTable conformal_table(std::span<const DepthScore> scores,
                               const std::vector<double>& levels) {
  std::map<int64_t, TrajectoryScores> trajectories;
  std::map<int64_t, bool> seen;
  for (const DepthScore& score : scores) {
    trajectories[score.trajectory][score.depth] = score.z;
    seen[score.depth] = seen[score.depth] || !std::isnan(score.z);
  }
  std::vector<int64_t> all;
  for (const auto& [depth, yes] : seen) {
    if (yes) all.push_back(depth);
  }
  ConformalTable table{.levels = levels, .groups = {}};
  for (const int64_t depth : all) table.groups.push_back(group_of({depth}, trajectories, levels));
  if (all.size() > 1) table.groups.push_back(group_of(all, trajectories, levels));
  return table;
}

ErrorBand error_band(const GaussianPrediction& prediction, double quantile) {
  return {.low = std::exp(prediction.mean - quantile * prediction.sigma),
          .high = std::exp(prediction.mean + quantile * prediction.sigma)};
}

}  // namespace roundtrip
