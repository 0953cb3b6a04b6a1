#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "roundtrip/base/csv.h"
#include "roundtrip/calibration/pixel_sigma.h"
#include "roundtrip/metrics/calibration_curve.h"

namespace roundtrip {

/// What the pixels of one rollout say of predictions and their sigmas, in numbers that can be
/// pooled over rollouts.
struct PixelTally {
  double pixels = 0;
  double relative_l2 = 0;      // of the whole rollout, all frames in one norm
  double absolute_error = 0;   // mean over pixels
  double within_one = 0;       // share of pixels with |z| < 1, z = error / sigma
  double z_square = 0;         // mean of z^2
  double z_fourth = 0;         // mean of z^4
  std::vector<double> inside;  // share of pixels in each central interval of a CalibrationCurve
};

/// All frames of a rollout, one after another. A prediction or sigma that is not finite, as in a
/// rollout that blew up, puts the pixel outside every interval. An Error when a sigma is not above
/// 0, a true value is not finite, or all are zero.
PixelTally tally_pixels(std::span<const float> predicted, std::span<const float> truth,
                        std::span<const float> sigma);

/// Scores of many rollouts: intervals over all their pixels, as the benchmark pools them.
struct PixelScores {
  CalibrationErrors errors;
  double relative_l2 = 0;     // mean over rollouts
  double absolute_error = 0;  // mean over pixels
  double within_one = 0;
  double kurtosis = 0;  // of z about zero: 3 for a Gaussian of any scale
};
PixelScores pool_pixels(std::span<const PixelTally* const> tallies);

/// A line of pixels.csv: one uncertainty object on one rollout.
struct PixelRow {
  std::string field;
  std::string object;  // entry of pixel_objects()
  int64_t trajectory = 0;
  int64_t depth = 0;    // frames of the rollout
  int64_t samples = 0;  // rollouts of which spread and mean are
  PixelSigma fit;       // as fitted to other rollouts
  PixelTally tally;
};

std::string pixel_rows_to_csv(const std::vector<PixelRow>& rows);
/// An Error that names the file when a column is missing.
std::vector<PixelRow> pixel_rows_from(const CsvTable& table);

}  // namespace roundtrip
