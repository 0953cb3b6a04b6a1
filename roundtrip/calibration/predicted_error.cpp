#include "roundtrip/calibration/predicted_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "roundtrip/stats/normal.h"

namespace roundtrip {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Calibrators clamp their inputs, and so would trust what is beyond all they have seen.
bool blew_up(const Calibrator& calibrator, const Curve& curve, size_t at) {
  for (const std::string& column : columns_of(calibrator.features)) {
    const double value = curve.column(column)[at];
    if (std::isnan(value) || value == kInfinite) return true;
  }
  return false;
}

}  // namespace

PredictedError predict_error(const Calibrator& calibrator, const Curve& curve, size_t at,
                             double level) {
  if (blew_up(calibrator, curve, at)) {
    return {calibrator.key.target, kInfinite, kInfinite, kInfinite, kInfinite, kInfinite};
  }
  const GaussianPrediction prediction = calibrator.predict(curve, at);
  const double two_sided = normal_quantile((1 + level) / 2);
  const UpperError upper = calibrator.upper_error(curve, at, level, Calibrator::Holds::each_depth);
  return {.target = calibrator.key.target,
          .median = std::exp(prediction.mean),
          .low = std::exp(prediction.mean - two_sided * prediction.sigma),
          .high = std::exp(prediction.mean + two_sided * prediction.sigma),
          .upper = upper.gaussian,
          .conformal = upper.conformal};
}

std::vector<int64_t> calibrated_depths(const Calibrator& calibrator) {
  std::vector<int64_t> depths;
  for (const ConformalGroup& group : calibrator.conformal.groups) {
    if (group.depths.size() == 1) depths.push_back(group.depths.front());
  }
  std::sort(depths.begin(), depths.end());
  return depths;
}

std::optional<AlarmState> alarm_state(const CalibratorSet& calibrators, const std::string& signal,
                                      const Curve& curve, double level) {
  for (const Alarm& alarm : calibrators.alarms) {
    if (alarm.signal != signal) continue;
    const auto threshold = alarm.threshold(level);
    if (!threshold) continue;
    AlarmState state{.statistic = alarm.statistic(curve), .threshold = *threshold};
    state.raised = state.statistic > state.threshold;
    return state;
  }
  return std::nullopt;
}

}  // namespace roundtrip
