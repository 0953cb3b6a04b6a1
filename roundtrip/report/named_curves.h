#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "roundtrip/report/records.h"
#include "roundtrip/metrics/calibration_curve.h"
#include "roundtrip/metrics/risk_coverage.h"

namespace roundtrip {

/// A calibration curve as the page draws it, its miscalibration area as the note.
NamedCurve to_named_curve(const std::string& label, const CalibrationCurve& curve);

/// A risk-coverage curve at no more than `points` fractions kept, both ends among them; its AURC as
/// the note. A single row gives a flat line.
NamedCurve to_named_curve(const std::string& label, const RiskCoverage& curve,
                          int64_t points = 200);

/// Counts of finite values in `bins` equal bins over their range; values that are not finite are
/// left out. An Error without any.
Histogram to_histogram(const std::string& label, std::span<const double> values, int64_t bins = 24);

}  // namespace roundtrip
