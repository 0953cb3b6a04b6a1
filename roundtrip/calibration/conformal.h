#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "roundtrip/calibration/polynomial_gaussian.h"

namespace roundtrip {

// Conformal prediction around a calibrator: whatever the truth of its mean and sigma, a band of
// `quantile` sigmas holds with probability `level` at its depths. What that needs: no score is of a
// trajectory that fitted the mean and sigma it is a score of, and the trajectory asked about is
// exchangeable with those that made the quantile (drawn by the same rule from the same system,
// rolled out by the same model). It holds on average over trajectories, not for each kind of them,
// and not out of distribution.

/// The ceil((n + 1) level)-th smallest of n scores; infinite when n is too small for the level.
double conformal_quantile(std::vector<double> scores, double level);

/// The same where a trajectory has several scores, which share the weight of one: the smallest
/// score below or at which the n trajectories have a share of `level` of n + 1. Of one score each
/// it is `conformal_quantile`.
double pooled_quantile(const std::vector<std::vector<double>>& scores, double level);

/// The fewest trajectories that give a finite quantile: ceil(level / (1 - level)).
int64_t fewest_trajectories(double level);

/// The error of a calibrator at one depth of one trajectory, z = (log E - mean) / sigma. A NaN or
/// infinity counts as infinitely far off: a rollout that diverged is a miss, not a missing row.
struct DepthScore {
  int64_t trajectory = 0;
  int64_t depth = 1;
  double z = 0;
};

/// Quantiles of some depths.
struct ConformalGroup {
  std::vector<int64_t> depths;    // increasing
  int64_t trajectories = 0;       // that made them
  std::vector<double> two_sided;  // one per level: |z| stays below
  std::vector<double> upper;      // one per level: z stays below
};

/// How many sigmas a band takes at a depth.
struct BandQuantiles {
  double two_sided = 0;
  double upper = 0;
};

struct ConformalTable {
  std::vector<double> levels;
  /// By depth, each depth in one of them. A band holds at the depth of its group; where neighbours
  /// share a group, on average over them.
  std::vector<ConformalGroup> groups;
  /// One score per trajectory, its largest over all depths: holds at all of them at once.
  std::optional<ConformalGroup> all;

  /// The group a depth is in, or null.
  const ConformalGroup* find(int64_t depth) const;
  /// All depths there are, ascending.
  std::vector<int64_t> depths() const;
  /// For a band at one depth. Between two depths, the larger of theirs. None for a level that is
  /// not there, beyond the depths, and where fewer trajectories than the level needs made them.
  std::optional<BandQuantiles> at(int64_t depth, double level) const;
  /// For bands at all depths at once; none where `at` would be.
  std::optional<BandQuantiles> at_all(int64_t depth, double level) const;
};

/// Neighbouring depths in as many groups as have the trajectories the highest level within reach
/// needs: every depth its own where all trajectories have all depths. Depths at which every score
/// is NaN are left out: a signal need not exist there (a cycle of four steps at depth 3).
ConformalTable conformal_table(std::span<const DepthScore> scores,
                               const std::vector<double>& levels);

/// A range of E. An infinite quantile gives [0, infinity].
struct ErrorBand {
  double low = 0;
  double high = 0;
};
ErrorBand error_band(const GaussianPrediction& prediction, double quantile);

}  // namespace roundtrip
