#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "roundtrip/metrics/calibration_curve.h"
#include "roundtrip/metrics/gaussian_scores.h"
#include "roundtrip/metrics/predictions.h"

namespace roundtrip {

/// All scores of one set of Gaussian predictions.
struct Scores {
  GaussianScores gaussian;
  CalibrationErrors calibration;
};

/// One score by its name in tables and JSON.
struct ScoreColumn {
  std::string_view name;
  double (*value)(const Scores& scores);
};

/// All but the number of rows, in the order they are printed.
std::span<const ScoreColumn> score_columns();

/// Linear in the rows: a million take a fraction of a second. Errors as `check(predictions)`.
Scores score(const Predictions& predictions);

/// The scores of the rows that share a label, a depth for instance.
struct GroupScores {
  int64_t label = 0;
  Scores scores;
};

/// Labels ascending. Groups of any size have scores; a single row is calibrated at no level.
std::vector<GroupScores> score_by_group(const Predictions& predictions,
                                        std::span<const int64_t> labels);

}  // namespace roundtrip
