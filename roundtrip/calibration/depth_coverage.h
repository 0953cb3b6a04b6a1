#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "roundtrip/calibration/calibrator.h"
#include "roundtrip/calibration/held_out.h"

namespace roundtrip {

/// How many errors that did not make it a band holds at one depth.
struct DepthCoverage {
  enum class Finding { holds, too_narrow, too_wide };

  int64_t depth = 1;
  int64_t trajectories = 0;
  int64_t inside = 0;
  Finding finding = Finding::holds;
};

/// Depths are called too narrow, or too wide, with at most this probability for any of a table
/// whose bands all hold.
inline constexpr double kCoverageError = 0.01;

/// Of the two-sided Gaussian band, on held-out rows; the count has a binomial law where it holds.
std::vector<DepthCoverage> gaussian_coverage(const HeldOut& rows, double level);

/// Of the band that is printed (`PredictedError::bounds`), on curves that made no part of the
/// calibrator. Where that is the conformal one the count has a beta-binomial law, since the
/// trajectories behind it are finitely many. A rollout that diverged is outside.
std::vector<DepthCoverage> printed_coverage(const Calibrator& calibrator,
                                            const std::vector<Curve>& curves, double level);

/// "holds too few errors at depths 1 (63 %), 2 (27 %) of 20", or that it holds its share at all.
std::string coverage_words(const std::vector<DepthCoverage>& coverage);

}  // namespace roundtrip
