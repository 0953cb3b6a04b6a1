#include "roundtrip/study/scored_fit.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/calibration/depth_coverage.h"
#include "roundtrip/calibration/verdict.h"
#include "roundtrip/study/cells.h"
#include "roundtrip/study/held_out_rows.h"

namespace roundtrip {
namespace {

constexpr double kVerdictLevel = 0.95;

std::vector<Estimate> score_estimates(const HeldOut& rows) {
  const auto ranges = rows_by_curve(rows);
  return estimate_each(ranges.size(), [&](std::span<const size_t> chosen) {
    const Scores scores = score(chosen_curves(rows, ranges, chosen).predictions());
    std::vector<std::optional<double>> values;
    for (const ScoreColumn& column : score_columns()) values.emplace_back(column.value(scores));
    return values;
  });
}

bool has_columns(const CurveTable& table, const Calibrator& calibrator) {
  const std::vector<std::string> needed = columns_of(calibrator.features);
  return table.has(calibrator.key.target) &&
         std::all_of(needed.begin(), needed.end(),
                     [&](const std::string& column) { return table.has(column); });
}

}  // namespace

TableCell ScoredFit::cell(std::string_view score, std::optional<double> paper) const {
  return number(at(score), paper);
}

std::optional<ScoredFit> score_on_test(const Evidence& evidence, const CalibratorKey& key) {
  const Calibrator* found = evidence.calibrators.find_if_there(key);
  if (found == nullptr || !has_columns(evidence.test, *found)) return std::nullopt;
  ScoredFit fit;
  fit.calibrator = found;
  fit.predictions = predict_curves(*found, evidence.test.curves);
  if (fit.predictions.size() == 0) return std::nullopt;
  fit.scores = score(fit.predictions.predictions());
  const auto estimates = score_estimates(fit.predictions);
  for (size_t i = 0; i < estimates.size(); ++i) {
    fit.estimates[std::string(score_columns()[i].name)] = estimates[i];
  }
  return fit;
}

std::optional<ScoredFit> best_control_on_test(const Evidence& evidence, const std::string& target) {
  std::optional<ScoredFit> best;
  for (const char* signal : {"seed_step", "seed_knn", "seed_codec"}) {
    auto fit = score_on_test(evidence, {target, signal, "depth"});
    if (fit && (!best || fit->scores.gaussian.nll < best->scores.gaussian.nll)) best = fit;
  }
  return best;
}

TableCell gain_cell(const ScoredFit& better, const std::optional<ScoredFit>& reference,
                    std::optional<double> paper) {
  if (!reference || reference->calibrator == better.calibrator) return number({}, {}, paper);
  const ClusteredMean found = gain(better.predictions, reference->predictions);
  const double margin = 2 * found.standard_error;
  return number(found.mean, Interval{found.mean - margin, found.mean + margin, 0}, paper);
}

std::optional<std::string> verdict_on_test(const Evidence& evidence) {
  const auto fit = score_on_test(evidence, {"E", "C", "depth"});
  const auto depth = score_on_test(evidence, {"E", "depth", "alone"});
  if (!fit || !depth) return std::nullopt;
  const auto control = best_control_on_test(evidence, "E");
  CycleGain found{
      .over_depth = gain(fit->predictions, depth->predictions), .over_control = {}, .control = {}};
  if (control) {
    found.over_control = gain(fit->predictions, control->predictions);
    found.control = control->calibrator->key.signal;
  }
  std::string text = verdict(found);
  if (fit->calibrator->conformal.at(evidence.test.curves.front().depths.front(), kVerdictLevel)) {
    text += fmt::format(" The printed {:g} % band {}.", 100 * kVerdictLevel,
                        coverage_words(printed_coverage(*fit->calibrator, evidence.test.curves,
                                                        kVerdictLevel)));
  }
  return text;
}

}  // namespace roundtrip
