#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "roundtrip/metrics/predictions.h"

namespace roundtrip {

/// Distance of observed from nominal proportions of central intervals, as uncertainty-toolbox
/// defines it with its default 100 levels.
struct CalibrationErrors {
  double ma = 0;     // miscalibration area between the two curves
  double mace = 0;   // mean over levels of |observed - nominal|
  double rmsce = 0;  // root of the mean square
};

/// At each nominal probability the fraction of rows inside the central interval of that
/// probability. The first level is 0 (only exact predictions are inside), the last is 1.
struct CalibrationCurve {
  std::vector<double> nominal;   // 0 to 1, equally spaced
  std::vector<double> observed;  // counts with <=, so that exact predictions count at level 0
  CalibrationErrors errors;
};

/// 0 to 1, equally spaced: the nominal probabilities of a curve.
std::vector<double> nominal_levels(int64_t levels = 100);

/// Linear in the rows. Errors as `check(predictions)`.
CalibrationCurve calibration_curve(const Predictions& predictions, int64_t levels = 100);

/// The same of standardised errors z; infinite ones are outside every interval but the last.
CalibrationCurve calibration_curve(std::span<const double> z, int64_t levels = 100);

/// Errors of a curve given by its points; nominal ascends.
CalibrationErrors calibration_errors(std::span<const double> nominal,
                                     std::span<const double> observed);

}  // namespace roundtrip
