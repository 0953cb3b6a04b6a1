#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "roundtrip/calibration/held_out.h"
#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/estimate.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// A calibrator on the test trajectories.
struct ScoredFit {
  const Calibrator* calibrator = nullptr;
  HeldOut predictions;
  Scores scores;
  std::map<std::string, Estimate, std::less<>> estimates;  // by the names of score_columns()

  const Estimate& at(std::string_view score) const { return estimates.find(score)->second; }
  /// The score as a cell.
  TableCell cell(std::string_view score) const;
};

/// None when there is no such calibrator or not its columns.
std::optional<ScoredFit> score_on_test(const Measurements& measured, const CalibratorKey& key);

/// The baseline (a calibrator that sees no rollout: seed frames and depth) of the lowest test
/// NLL for a target; none when there is no such.
std::optional<ScoredFit> best_baseline_on_test(const Measurements& measured,
                                               const std::string& target);

/// Nats a row that `better` gains, with an interval of two paired standard errors.
TableCell gain_cell(const ScoredFit& better, const std::optional<ScoredFit>& reference);

/// The verdict on C with depth on the test trajectories, and the depths at which the printed band
/// fails on them; none without its calibrator or the depth's.
std::optional<std::string> verdict_on_test(const Measurements& measured);

}  // namespace roundtrip
