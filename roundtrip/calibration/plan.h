#pragma once

#include <string>
#include <vector>

#include "roundtrip/calibration/calibrator.h"

namespace roundtrip {

/// One calibrator to fit.
struct PlannedFit {
  CalibratorKey key;
  bool baseline = false;  // needs no check of the rollout: a constant, the depth, the seed frames
};

/// The error columns there are: E, E_back, and E_<field>; not E_pair, which mixes two depths.
std::vector<std::string> target_columns(const std::vector<std::string>& columns);

/// Those of decoded fields, E_<field>.
std::vector<std::string> field_columns(const std::vector<std::string>& columns);

/// Every calibrator of the signal table that the columns allow, target by target, baselines first.
/// An Error when there is no target.
std::vector<PlannedFit> calibration_plan(const std::vector<std::string>& columns);

}  // namespace roundtrip
