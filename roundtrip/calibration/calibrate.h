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
  bool conformal = true;  // conformal bands from held-out scores, and alarms
  int64_t threads = 1;    // calibrators fitted at a time; results do not depend on it
};

/// A calibrator of all trajectories beside predictions of each by the fold of its cross-validation
/// that had not seen it.
struct CalibratedFit {
  Calibrator calibrator;
  bool baseline = false;
  HeldOut held_out;
};

struct Calibration {
  std::vector<CalibratedFit> fits;  // in the order of the plan
  std::vector<Alarm> alarms;
  std::vector<std::string> notes;  // of the whole table

  CalibratorSet set(const std::string& fingerprint) const;
};

/// Below this, nothing is set aside for alarms: half of three trajectories is no reference.
inline constexpr size_t kFewestToDivide = 4;

/// The rows of some curves as samples, curves being the trajectories. Rows are left out where the
/// logarithm of target or an input is not finite.
struct CurveSamples {
  Samples samples;
  std::vector<int64_t> curve, depth;  // of every row; curve is an index of the curves
  int64_t dropped = 0;
};
CurveSamples curve_samples(const Features& features, const std::string& target,
                           const std::vector<Curve>& curves);

/// Fits one calibrator. An Error when no row can be used.
CalibratedFit calibrate_one(const PlannedFit& plan, const std::vector<Curve>& curves,
                            const CalibrateOptions& options);

/// Fits everything the table allows. A calibrator none of whose rows can be used is left out with
/// a note; an Error when that leaves nothing.
Calibration calibrate(const CurveTable& table, const CalibrateOptions& options);

/// The baseline with the lowest held-out NLL among a target's; none when there is no such.
const CalibratedFit* best_baseline(const std::vector<CalibratedFit>& fits,
                                  const std::string& target);

}  // namespace roundtrip
