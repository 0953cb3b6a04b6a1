#include "roundtrip/calibration/alarm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "roundtrip/calibration/conformal.h"
#include "roundtrip/calibration/gaussian_likelihood.h"
#include "roundtrip/metrics/moments.h"

namespace roundtrip {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A curve that lacks a depth would have too small a maximum.
bool has_depths(const Curve& curve, const std::vector<int64_t>& depths) {
  return std::includes(curve.depths.begin(), curve.depths.end(), depths.begin(), depths.end());
}

}  // namespace

std::optional<double> Alarm::score(int64_t depth, double value) const {
  const auto found = std::lower_bound(depths.begin(), depths.end(), depth);
  if (found == depths.end() || *found != depth) return std::nullopt;
  const auto at = static_cast<size_t>(found - depths.begin());
  const double x = std::log(value);
  return std::isnan(x) ? kInfinity : (x - mean[at]) / sigma[at];
}

double Alarm::statistic(const Curve& curve) const {
  const std::vector<double>& values = curve.column(column_read());
  double largest = -kInfinity;
  for (size_t i = 0; i < values.size(); ++i) {
    largest = std::max(largest, score(curve.depths[i], values[i]).value_or(-kInfinity));
  }
  return largest;
}

std::optional<double> Alarm::threshold(double level) const {
  const auto found = std::find(levels.begin(), levels.end(), level);
  if (found == levels.end()) return std::nullopt;
  return thresholds[static_cast<size_t>(found - levels.begin())];
}

std::optional<Alarm> fit_alarm(const std::string& signal, std::span<const Curve> reference,
                               std::span<const Curve> held_out, const std::vector<double>& levels) {
  std::map<int64_t, std::vector<double>> by_depth;
  for (const Curve& curve : reference) {
    const std::vector<double>& values = curve.column(signal);
    for (size_t i = 0; i < values.size(); ++i) {
      const double x = std::log(values[i]);
      if (std::isfinite(x)) by_depth[curve.depths[i]].push_back(x);
    }
  }
  Alarm alarm;
  alarm.signal = signal;
  alarm.levels = levels;
  for (const auto& [depth, values] : by_depth) {
    if (values.size() < 2) continue;
    Moments moments;
    moments.add(std::span<const double>(values));
    const auto n = static_cast<double>(values.size());
    alarm.depths.push_back(depth);
    alarm.mean.push_back(moments.mean());
    alarm.sigma.push_back(std::max(moments.std_deviation() * std::sqrt(n / (n - 1)), kSigmaFloor));
  }
  if (alarm.depths.empty()) return std::nullopt;
  std::vector<double> statistics;
  for (const Curve& curve : held_out) {
    if (has_depths(curve, alarm.depths)) statistics.push_back(alarm.statistic(curve));
  }
  alarm.trajectories = static_cast<int64_t>(statistics.size());
  for (const double level : levels) {
    alarm.thresholds.push_back(conformal_quantile(statistics, level));
  }
  return alarm;
}

}  // namespace roundtrip
