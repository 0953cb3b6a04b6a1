#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roundtrip/calibration/curves.h"

namespace roundtrip {

/// An alarm over a whole rollout: log of the signal, standardised at each depth by what reference
/// trajectories show there; the statistic is its maximum over the depths checked, the threshold
/// that maximum's conformal quantile. A rollout like the reference ones exceeds the threshold of
/// level 1 - alpha with probability at most alpha, however many depths are checked: fewer than all
/// only lower the maximum.
struct Alarm {
  std::string signal;
  std::string column = {};         // of the curves, where another than `signal`
  std::vector<int64_t> depths;     // increasing
  std::vector<double> mean;        // of log signal, one per depth
  std::vector<double> sigma;       // its standard deviation over trajectories
  int64_t trajectories = 0;        // that made the thresholds; none of them made mean and sigma
  std::vector<double> levels;      // 0.95: one false alarm in twenty rollouts
  std::vector<double> thresholds;  // one per level; infinite with too few trajectories

  const std::string& column_read() const { return column.empty() ? signal : column; }
  /// log signal in standard deviations at a depth; none at a depth the reference does not have.
  /// NaN and infinity count as infinitely high.
  std::optional<double> score(int64_t depth, double value) const;
  /// The maximum over a curve's known depths; minus infinity when there are none.
  double statistic(const Curve& curve) const;
  /// The threshold of a level; none when it is not among `levels`.
  std::optional<double> threshold(double level) const;
};

/// Mean and sigma from `reference`, thresholds from `held_out`. Depths with fewer than two finite
/// reference values are left out; none at all when no depth remains.
std::optional<Alarm> fit_alarm(const std::string& signal, std::span<const Curve> reference,
                               std::span<const Curve> held_out, const std::vector<double>& levels);

}  // namespace roundtrip
