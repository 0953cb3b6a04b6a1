#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roundtrip/calibration/calibrator.h"

namespace roundtrip {

/// What is predicted of one error at one depth.
struct PredictedError {
  std::string target;  // "E" (latent) or "E_<field>" (physical units), mean squares
  double median = 0;
  ErrorBounds gaussian;                  // at the level, by the Gaussian of log E
  std::optional<ErrorBounds> conformal;  // at the level and this depth, whatever the law; none
                                         // with too few trajectories for the level

  /// What is printed and what trust ends by: the conformal bounds, the Gaussian ones without them.
  const ErrorBounds& bounds() const { return conformal ? *conformal : gaussian; }
};

/// What a calibrator says at place `at` of a curve. A signal that is not finite is of a rollout
/// that blew up: every number is infinite then.
PredictedError predict_error(const Calibrator& calibrator, const Curve& curve, size_t at,
                             double level);

/// The depths a calibrator was fitted and held out at, ascending; empty when nothing was held out.
std::vector<int64_t> calibrated_depths(const Calibrator& calibrator);

/// Whether a rollout looks like those of the calibration.
struct AlarmState {
  double statistic = 0;  // maximum over depths of the signal's standardised logarithm
  double threshold = 0;  // exceeded by one rollout in 1 / (1 - level) of the usual kind
  bool raised = false;
};

/// None when no alarm is known for the signal at that level.
std::optional<AlarmState> alarm_state(const CalibratorSet& calibrators, const std::string& signal,
                                      const Curve& curve, double level);

}  // namespace roundtrip
