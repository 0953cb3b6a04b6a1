#pragma once

#include "roundtrip/calibration/calibrator.h"
#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// How often E stays below a calibrator's upper bounds of levels 0.9 and 0.95, the Gaussian's and
/// the conformal one: at each depth, and at all depths of a rollout at once. A rollout that
/// diverged is not below. The test table has the calibrator's columns.
TableSection bound_coverage_table(const Measurements& measured, const Calibrator& calibrator);

}  // namespace roundtrip
