#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "roundtrip/metrics/predictions.h"

namespace roundtrip {

/// Negative log-density of y under N(mean, sigma^2), nats.
double gaussian_nll(double y, double mean, double sigma);

/// Continuous ranked probability score of N(mean, sigma^2) at y, in units of y.
double gaussian_crps(double y, double mean, double sigma);

/// Scores of Gaussian predictions, means over rows. One that does not fit a double is infinite.
struct GaussianScores {
  int64_t n = 0;
  double nll = 0;        // nats
  double rmse = 0;       // units of y
  double x68 = 0;        // exp of the 0.68 quantile of |y - mean|: a factor when y is a logarithm
  double x95 = 0;        // the same at 0.95
  double cov68 = 0;      // fraction with |y - mean| <= sigma; 0.683 when calibrated
  double cov95 = 0;      // fraction with |y - mean| <= 2 sigma; 0.954 when calibrated
  double crps = 0;       // units of y
  double sharpness = 0;  // sqrt(mean sigma^2), units of y
};

/// Linear in the rows. Errors as `check(predictions)`.
GaussianScores gaussian_scores(const Predictions& predictions);

/// Shape of the standardised errors z = (y - mean) / sigma.
struct ZDiagnostics {
  double within_one = 0;           // P(|z| < 1); 0.683 when Gaussian
  std::optional<double> kurtosis;  // m4 / m2^2, raw: 3 when Gaussian; none when z is constant
  std::optional<double> excess;    // kurtosis - 3
};

/// An Error without values or when one is not finite.
ZDiagnostics z_diagnostics(std::span<const double> z);

}  // namespace roundtrip
