#include "roundtrip/evaluation/scored_fit.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/calibration/depth_coverage.h"
#include "roundtrip/calibration/signal_table.h"
#include "roundtrip/calibration/verdict.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/held_out_rows.h"

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

TableCell ScoredFit::cell(std::string_view score) const { return number(at(score)); }

std::optional<ScoredFit> score_on_test(const Measurements& measured, const CalibratorKey& key) {
  const Calibrator* found = measured.calibrators.find_if_there(key);
  if (found == nullptr || !has_columns(measured.test, *found)) return std::nullopt;
  ScoredFit fit;
  fit.calibrator = found;
  fit.predictions = predict_curves(*found, measured.test.curves);
  if (fit.predictions.size() == 0) return std::nullopt;
  fit.scores = score(fit.predictions.predictions());
  const auto estimates = score_estimates(fit.predictions);
  for (size_t i = 0; i < estimates.size(); ++i) {
    fit.estimates[std::string(score_columns()[i].name)] = estimates[i];
  }
  return fit;
}

std::optional<ScoredFit> best_baseline_on_test(const Measurements& measured,
                                               const std::string& target) {
  std::optional<ScoredFit> best;
  for (const SignalColumn* column : columns_of_role(SignalRole::baseline)) {
    auto fit = score_on_test(measured, {target, std::string(column->name), "depth"});
    if (fit && (!best || fit->scores.gaussian.nll < best->scores.gaussian.nll)) best = fit;
  }
  return best;
}

TableCell gain_cell(const ScoredFit& better, const std::optional<ScoredFit>& reference) {
  if (!reference || reference->calibrator == better.calibrator) return number(std::nullopt);
  const ClusteredMean found = gain(better.predictions, reference->predictions);
  const double margin = 2 * found.standard_error;
  return number(found.mean, Interval{found.mean - margin, found.mean + margin, 0});
}

std::optional<std::string> verdict_on_test(const Measurements& measured) {
  const auto fit = score_on_test(measured, {"E", "C", "depth"});
  const auto depth = score_on_test(measured, {"E", "depth", "alone"});
  if (!fit || !depth) return std::nullopt;
  const auto baseline = best_baseline_on_test(measured, "E");
  CycleGain found{.over_depth = gain(fit->predictions, depth->predictions),
                  .over_baseline = {},
                  .baseline = {}};
  if (baseline) {
    found.over_baseline = gain(fit->predictions, baseline->predictions);
    found.baseline = baseline->calibrator->key.signal;
  }
  std::string text = verdict(found);
  if (fit->calibrator->conformal.at(measured.test.curves.front().depths.front(), kVerdictLevel)) {
    text += fmt::format(" The printed {:g} % band {}.", 100 * kVerdictLevel,
                        coverage_words(printed_coverage(*fit->calibrator, measured.test.curves,
                                                        kVerdictLevel)));
  }
  return text;
}

}  // namespace roundtrip
