#include "roundtrip/calibration/trajectory_units.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace roundtrip {

std::vector<int64_t> trajectory_folds(const std::vector<int64_t>& trajectory, int64_t folds) {
  std::vector<int64_t> out;
  int64_t ordinal = -1;
  for (size_t i = 0; i < trajectory.size(); ++i) {
    if (i == 0 || trajectory[i] != trajectory[i - 1]) ++ordinal;
    out.push_back(ordinal % folds);
  }
  return out;
}

int64_t count_trajectories(const std::vector<int64_t>& trajectory) {
  int64_t count = 0;
  for (size_t i = 0; i < trajectory.size(); ++i) {
    if (i == 0 || trajectory[i] != trajectory[i - 1]) ++count;
  }
  return count;
}

ClusteredMean clustered_mean(const std::vector<double>& values,
                             const std::vector<int64_t>& trajectory) {
  const auto n = static_cast<double>(values.size());
  ClusteredMean out{.mean = std::accumulate(values.begin(), values.end(), 0.0) / n,
                    .standard_error = std::numeric_limits<double>::infinity()};
  const auto clusters = static_cast<double>(count_trajectories(trajectory));
  if (clusters < 2) return out;
  double squares = 0, sum = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += values[i] - out.mean;
    if (i + 1 == values.size() || trajectory[i + 1] != trajectory[i]) {
      squares += sum * sum;
      sum = 0;
    }
  }
  out.standard_error = std::sqrt(squares * clusters / (clusters - 1)) / n;
  return out;
}

}  // namespace roundtrip
