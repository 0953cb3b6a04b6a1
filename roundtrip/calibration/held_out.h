#pragma once

#include <cstdint>
#include <vector>

#include "roundtrip/calibration/calibrator.h"
#include "roundtrip/calibration/trajectory_units.h"
#include "roundtrip/metrics/scores.h"

namespace roundtrip {

/// Predictions of log E beside the truth, of trajectories the calibrator was not fitted to. Rows by
/// curve, then depth.
struct HeldOut {
  std::vector<int64_t> curve;  // place in the table
  std::vector<int64_t> depth;
  std::vector<double> y, mean, sigma;
  int64_t dropped = 0;  // rows without a finite log E or without a prediction

  size_t size() const { return y.size(); }
  void add(int64_t at_curve, int64_t at_depth, double value, const GaussianPrediction& prediction);
  Predictions predictions() const { return {.y = y, .mean = mean, .sigma = sigma}; }
};

/// What a calibrator says of every row of some curves.
HeldOut predict_curves(const Calibrator& calibrator, const std::vector<Curve>& curves);

/// How many nats a row `better` gains over `reference`, on the rows both have; the standard error
/// is paired and has trajectories as its units. No rows in common give a mean of 0 and an infinite
/// standard error.
ClusteredMean gain(const HeldOut& better, const HeldOut& reference);

}  // namespace roundtrip
