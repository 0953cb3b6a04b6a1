#pragma once

#include <span>
#include <vector>

#include "roundtrip/calibration/polynomial_gaussian.h"

namespace roundtrip {

/// A non-decreasing mean of log E, whatever its shape, with constant scatter.
struct Isotonic {
  std::vector<double> x;     // knots, increasing
  std::vector<double> mean;  // at the knots, non-decreasing
  double sigma = 0;

  /// Linear between knots, constant beyond the first and last; an Error for NaN.
  GaussianPrediction predict(double at) const;
};

/// The non-decreasing function nearest to the points in least squares; equal x share one value.
/// `sigma` is the scatter of the residuals, at least kSigmaFloor. At least one point.
Isotonic fit_isotonic(std::span<const double> x, std::span<const double> y);

/// The same from samples with one input; `sigma` is the scatter of held-out residuals over folds of
/// trajectories, since residuals of a fit this free are too small. `held_out` receives the
/// predictions of every row by the fold that did not see it; empty with fewer than two
/// trajectories, where `sigma` is that of the fit.
Isotonic cross_fit_isotonic(const Samples& samples, int64_t folds,
                            std::vector<GaussianPrediction>& held_out);

}  // namespace roundtrip
