#include "roundtrip/calibration/predicted_error.h"

#include <cmath>
#include <limits>

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
    const ErrorBounds infinite{.low = kInfinite, .high = kInfinite, .upper = kInfinite};
    return {calibrator.key.target, kInfinite, infinite, infinite};
  }
  return {.target = calibrator.key.target,
          .median = std::exp(calibrator.predict(curve, at).mean),
          .gaussian = calibrator.gaussian_bounds(curve, at, level),
          .conformal = calibrator.conformal_bounds(curve, at, level)};
}

std::vector<int64_t> calibrated_depths(const Calibrator& calibrator) {
  return calibrator.conformal.depths();
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
