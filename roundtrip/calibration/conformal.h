#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "roundtrip/calibration/polynomial_gaussian.h"

namespace roundtrip {

// Split conformal prediction around a calibrator: whatever the truth of its mean and sigma, a band
// of `quantile` sigmas holds with probability at least `level`. What that needs: the calibrator was
// fitted on other trajectories, and the trajectory asked about is exchangeable with those that made
// the quantile (drawn by the same rule from the same system, rolled out by the same model). It
// holds on average over trajectories, not for each kind of them, and not out of distribution.

/// The ceil((n + 1) level)-th smallest of n scores; infinite when n is too small for the level.
double conformal_quantile(std::vector<double> scores, double level);

/// The fewest trajectories that give a finite quantile: ceil(level / (1 - level)).
int64_t fewest_trajectories(double level);

/// The error of a calibrator at one depth of one trajectory, z = (log E - mean) / sigma. A NaN or
/// infinity counts as infinitely far off: a rollout that diverged is a miss, not a missing row.
struct DepthScore {
  int64_t trajectory = 0;
  int64_t depth = 1;
  double z = 0;
};

/// Quantiles of one group of depths: one score per trajectory, its largest over the group. With one
/// depth the band holds at that depth; with several it holds at all of them at once.
struct ConformalGroup {
  std::vector<int64_t> depths;    // increasing
  int64_t trajectories = 0;       // that have every depth of the group
  std::vector<double> two_sided;  // one per level: |z| stays below
  std::vector<double> upper;      // one per level: z stays below
};

struct ConformalTable {
  std::vector<double> levels;
  std::vector<ConformalGroup> groups;

  /// The group with exactly these depths, or null.
  const ConformalGroup* find(std::span<const int64_t> depths) const;
  const ConformalGroup* find(int64_t depth) const;
};

/// A group for every depth, and one of all depths together. Depths at which every score is NaN are
/// left out: a signal need not exist there (a cycle of four steps at depth 3).
ConformalTable conformal_table(std::span<const DepthScore> scores,
                               const std::vector<double>& levels);

/// A range of E. An infinite quantile gives [0, infinity].
struct ErrorBand {
  double low = 0;
  double high = 0;
};
ErrorBand error_band(const GaussianPrediction& prediction, double quantile);

}  // namespace roundtrip
