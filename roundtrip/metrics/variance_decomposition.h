#pragma once

#include <cstdint>
#include <optional>

#include "roundtrip/metrics/curve_grid.h"

namespace roundtrip {

/// A log quantity, its mean over trajectories taken off at each depth, as the sum of a factor of
/// the trajectory and noise from depth to depth.
struct VarianceDecomposition {
  double between = 0;  // sigma_b: deviation of the factor over trajectories, log units
  double within = 0;   // sigma_w: deviation of the noise over depths, log units
  int64_t trajectories = 0;
  int64_t depths = 0;

  /// Intraclass correlation, sigma_b^2 / (sigma_b^2 + sigma_w^2); 0 when nothing varies.
  double icc() const;
  /// Correlation of one reading with the trajectory's factor: sqrt(ICC).
  double reliability() const;
  /// The same of the mean of `count` readings at different depths; 0 when nothing varies.
  double mean_reliability(int64_t count) const;
};

/// Estimates by analysis of variance; sigma_b^2 is not let below zero. An Error with fewer than two
/// trajectories or depths or a value that is not finite.
VarianceDecomposition decompose_variance(const CurveGrid& log_values);

/// Correlation of the noises of two quantities on the same trajectories and depths; none when one
/// of them has no noise.
std::optional<double> noise_correlation(const CurveGrid& log_a, const CurveGrid& log_b);

/// The correlation at a fixed depth over trajectories that two quantities can reach: that of their
/// factors (1 at best), weakened by noise of correlation `noise`. With noise = 0 the classical
/// ceiling rel_C rel_E.
double correlation_ceiling(const VarianceDecomposition& c, const VarianceDecomposition& e,
                           double noise = 0, double factors = 1);

/// Nats a predictor of E can gain at most from knowing its trajectory's factor through a reading of
/// reliability `reading`: -1/2 ln(1 - ICC_E reading^2). Infinite when nothing is left to explain.
double recoverable_gain(const VarianceDecomposition& e, double reading);

}  // namespace roundtrip
