#pragma once

#include <cstdint>
#include <vector>

namespace roundtrip {

// Depths of one rollout are anything but independent; trajectories are the units that are held out
// and counted. Everywhere here `trajectory` names the trajectory of each row, equal ones adjacent.

/// The fold of every row: the k-th trajectory in order belongs to fold k mod folds.
std::vector<int64_t> trajectory_folds(const std::vector<int64_t>& trajectory, int64_t folds);

/// The number of different trajectories.
int64_t count_trajectories(const std::vector<int64_t>& trajectory);

/// Mean over rows and its standard error when rows of one trajectory are anything but independent.
struct ClusteredMean {
  double mean = 0;
  double standard_error = 0;  // infinite for fewer than two trajectories
};
ClusteredMean clustered_mean(const std::vector<double>& values,
                             const std::vector<int64_t>& trajectory);

}  // namespace roundtrip
