#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "roundtrip/calibration/alarm.h"
#include "roundtrip/calibration/conformal.h"
#include "roundtrip/calibration/curves.h"
#include "roundtrip/calibration/features.h"
#include "roundtrip/calibration/isotonic.h"
#include "roundtrip/calibration/polynomial_gaussian.h"

namespace roundtrip {

/// What a calibrator predicts, and from what.
struct CalibratorKey {
  std::string target;    // column: E, E_back, E_<field>
  std::string signal;    // column, or "depth", or "none"
  std::string features;  // an entry of feature_sets()

  auto operator<=>(const CalibratorKey&) const = default;
  /// "E from C (depth)"
  std::string text() const;
};

/// How a calibrator was fitted.
struct FitRecord {
  int64_t trajectories = 0;
  int64_t rows = 0;
  int64_t dropped = 0;                   // rows without a finite logarithm of target or inputs
  std::optional<double> nll;             // cross-validated, nats; none with one trajectory
  std::optional<double> standard_error;  // of nll over trajectories
  std::vector<std::string> notes;        // fallbacks taken, one line each
};

/// What E stays below with some probability.
struct UpperError {
  double gaussian = 0;              // if the calibrator's Gaussian is right
  std::optional<double> conformal;  // whatever is right; none without quantiles for depth and level
};

/// Where E lies with some probability.
struct ErrorBounds {
  double low = 0, high = 0;  // between these
  double upper = 0;          // below this
};

/// log E given what is known of a rollout.
struct Calibrator {
  CalibratorKey key;
  Features features;  // those of the key
  std::variant<PolynomialGaussian, Isotonic> model;
  ConformalTable conformal;  // without groups when nothing was held out for it
  FitRecord fit;

  /// Whether it needs nothing deeper than the depth it predicts.
  bool causal() const;
  GaussianPrediction predict(std::span<const double> inputs) const;
  /// At place `at` of a curve. With a causal calibrator the curve may end there: this is what a
  /// meter calls after each depth. An Error when a signal is NaN.
  GaussianPrediction predict(const Curve& curve, size_t at) const;

  /// Which depths a conformal bound holds at together: each by itself, or all at once, which is
  /// what a trusted depth over several checked depths asks for.
  enum class Holds { each_depth, all_depths };
  UpperError upper_error(const Curve& curve, size_t at, double level, Holds holds) const;
  /// Bounds at place `at` of a curve, if the calibrator's Gaussian is right.
  ErrorBounds gaussian_bounds(const Curve& curve, size_t at, double level) const;
  /// The same whatever is right, at that depth by itself; none where `ConformalTable::at` has none.
  std::optional<ErrorBounds> conformal_bounds(const Curve& curve, size_t at, double level) const;
};

/// The content of calibrators.json.
struct CalibratorSet {
  std::string fingerprint;  // of weights, sampler, steps, noise seed and anchor rule
  std::vector<Calibrator> calibrators;
  std::vector<Alarm> alarms;  // one per signal
  /// Read from a file of version 1: its signal C is the column C_regenerated.
  bool c_is_regenerated = false;

  /// An Error that lists what there is.
  const Calibrator& find(const CalibratorKey& key) const;
  /// The same; null when there is no such.
  const Calibrator* find_if_there(const CalibratorKey& key) const;
  const Alarm& alarm(const std::string& signal) const;
};

}  // namespace roundtrip
