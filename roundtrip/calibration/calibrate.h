#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roundtrip/calibration/calibrator.h"
#include "roundtrip/calibration/curves.h"
#include "roundtrip/calibration/held_out.h"
#include "roundtrip/calibration/plan.h"
#include "roundtrip/calibration/select_degrees.h"

namespace roundtrip {

struct CalibrateOptions {
  DegreeGrid grid;
  std::vector<double> levels = {0.9, 0.95};  // of conformal bands and alarms
  bool conformal = true;  // set every second trajectory aside for quantiles and thresholds
  int64_t threads = 1;    // calibrators fitted at a time; results do not depend on it
};

/// A calibrator beside predictions of all trajectories by fits that had not seen them: those that
/// fitted it by the folds of its cross-validation, those set aside by itself.
struct CalibratedFit {
  Calibrator calibrator;
  bool control = false;
  HeldOut held_out;
};

struct Calibration {
  std::vector<CalibratedFit> fits;  // in the order of the plan
  std::vector<Alarm> alarms;
  std::vector<std::string> notes;  // of the whole table

  CalibratorSet set(const std::string& fingerprint) const;
};

/// Below this, nothing is set aside: half of three trajectories fits nothing.
inline constexpr size_t kFewestToDivide = 4;

/// The rows of some curves as samples, curves being the trajectories. Rows are left out where the
/// logarithm of target or an input is not finite.
struct CurveSamples {
  Samples samples;
  std::vector<int64_t> curve, depth;  // of every row; curve is a place in `chosen`
  int64_t dropped = 0;
};
CurveSamples curve_samples(const Features& features, const std::string& target,
                           const std::vector<Curve>& curves, const std::vector<size_t>& chosen);

/// Fits one calibrator. An Error when no row can be used.
CalibratedFit calibrate_one(const PlannedFit& plan, const std::vector<Curve>& curves,
                            const CalibrateOptions& options);

/// Fits everything the table allows. A calibrator none of whose rows can be used is left out with
/// a note; an Error when that leaves nothing.
Calibration calibrate(const CurveTable& table, const CalibrateOptions& options);

/// The control with the lowest held-out NLL among a target's; none when there is no such.
const CalibratedFit* best_control(const std::vector<CalibratedFit>& fits,
                                  const std::string& target);

}  // namespace roundtrip
