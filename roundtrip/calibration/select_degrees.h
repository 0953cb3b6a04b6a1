#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/calibration/polynomial_gaussian.h"

namespace roundtrip {

/// The error within which a candidate counts as good as the best one.
enum class DegreeRule {
  paired,    // of the difference between the two, trajectory by trajectory
  unpaired,  // of the best candidate's own score
};

/// "paired" or "unpaired"; an Error that lists them for anything else.
DegreeRule parse_degree_rule(std::string_view name);

/// Which degrees are tried, and how they are compared.
struct DegreeGrid {
  Degrees lowest = {1, 0};
  Degrees highest = {5, 3};
  int64_t folds = 5;           // of whole trajectories, that choose the degrees
  int64_t held_out_folds = 20;  // that predict what the chosen ones are scored by
  DegreeRule rule = DegreeRule::paired;
};

/// One pair of degrees and its cross-validated score.
struct DegreeCandidate {
  Degrees degrees;
  double nll = 0;             // mean over held-out rows, nats
  double standard_error = 0;  // of nll, trajectories being the independent units
  double paired_error = 0;    // standard error of nll minus the best one's, the same units
  bool rises = false;         // the fit to all rows: a larger signal, no smaller mean
};

/// The outcome of a choice. With fewer than two trajectories nothing can be held out: the lowest
/// degrees are taken and `candidates` and `held_out` are empty.
struct DegreeChoice {
  Degrees degrees;
  PolynomialFit fit;  // of all rows
  bool rises = false;  // that fit; false only where no candidate rises
  std::vector<DegreeCandidate> candidates;
  std::vector<GaussianPrediction> held_out;  // of every row by the fold that did not see it
  std::vector<std::string> notes;            // what was not as it should be, one line each
};

/// The simplest candidate within one standard error of the best; simpler is smaller p + q, then
/// smaller q. Only candidates that rise compete, unless there is none. By the paired rule that
/// error is the smaller of `paired_error` and the best one's `standard_error`, so that it never
/// takes a simpler candidate than the unpaired rule.
Degrees one_standard_error_rule(const std::vector<DegreeCandidate>& candidates, DegreeRule rule);

/// Cross-validates the grid over trajectories, applies the rule, fits the choice to all rows.
/// Degrees are not tried that the data cannot hold: as many as a polynomial input has different
/// values, or more coefficients than half the rows of a fold's fit.
DegreeChoice select_degrees(const Samples& samples, const ModelForm& form, const DegreeGrid& grid);

}  // namespace roundtrip
