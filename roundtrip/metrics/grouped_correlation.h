#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "roundtrip/metrics/bootstrap.h"
#include "roundtrip/metrics/correlation.h"

namespace roundtrip {

/// Two quantities read along rollouts, a row per trajectory and depth, in any order. A trajectory
/// with two rows at one depth is an Error.
struct PairedCurves {
  std::span<const int64_t> trajectory;
  std::span<const int64_t> depth;
  std::span<const double> x;
  std::span<const double> y;
};

/// Correlations over the depths of each trajectory, summarised over trajectories.
struct WithinCorrelation {
  double mean = 0;
  std::optional<double> sd;  // divided by the count - 1; none with one trajectory
  int64_t trajectories = 0;  // that have a correlation
  int64_t undefined = 0;     // that have none: one depth, or a constant curve
};

/// None when no trajectory has a correlation. Two depths give each trajectory +1 or -1.
std::optional<WithinCorrelation> correlation_within(const PairedCurves& curves, Correlation kind);

/// Correlation over the trajectories at one depth; none as `correlate`, or when no row is there.
std::optional<double> correlation_at_depth(const PairedCurves& curves, int64_t depth,
                                           Correlation kind);

/// Intervals of the two by bootstrap over trajectories.
std::optional<Interval> bootstrap_within(const PairedCurves& curves, Correlation kind,
                                         const BootstrapConfig& config = {});
std::optional<Interval> bootstrap_at_depth(const PairedCurves& curves, int64_t depth,
                                           Correlation kind, const BootstrapConfig& config = {});

}  // namespace roundtrip
