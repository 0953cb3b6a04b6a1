#include "roundtrip/study/scored_fit.h"

#include <algorithm>

#include "roundtrip/study/cells.h"

namespace roundtrip {
namespace {

// Rows of one trajectory stay together: [first, last) of every curve that has any.
std::vector<std::pair<size_t, size_t>> rows_by_curve(const HeldOut& rows) {
  std::vector<std::pair<size_t, size_t>> groups;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || rows.curve[i] != rows.curve[i - 1]) groups.emplace_back(i, i);
    groups.back().second = i + 1;
  }
  return groups;
}

HeldOut chosen_rows(const HeldOut& rows, const std::vector<std::pair<size_t, size_t>>& groups,
                    std::span<const size_t> chosen) {
  HeldOut out;
  for (const size_t group : chosen) {
    for (size_t i = groups[group].first; i < groups[group].second; ++i) {
      out.add(rows.curve[i], rows.depth[i], rows.y[i], {rows.mean[i], rows.sigma[i]});
    }
  }
  return out;
}

std::vector<std::optional<Interval>> score_intervals(const HeldOut& rows) {
  const auto groups = rows_by_curve(rows);
  // Intervals in a table of three digits: 400 resamples place an end to a tenth of its width.
  return bootstrap_each(groups.size(),
                        [&](std::span<const size_t> chosen) {
                          const Scores scores =
                              score(chosen_rows(rows, groups, chosen).predictions());
                          std::vector<std::optional<double>> values;
                          for (const ScoreColumn& column : score_columns())
                            values.emplace_back(column.value(scores));
                          return values;
                        },
                        {.resamples = 400});
}

bool has_columns(const CurveTable& table, const Calibrator& calibrator) {
  const std::vector<std::string> needed = columns_of(calibrator.features);
  return table.has(calibrator.key.target) &&
         std::all_of(needed.begin(), needed.end(),
                     [&](const std::string& column) { return table.has(column); });
}

}  // namespace

TableCell ScoredFit::cell(std::string_view score, std::optional<double> paper) const {
  const Estimate& estimate = at(score);
  return number(estimate.value, estimate.interval, paper);
}

std::optional<ScoredFit> score_on_test(const Evidence& evidence, const CalibratorKey& key) {
  const auto& all = evidence.calibrators.calibrators;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Calibrator& c) { return c.key == key; });
  if (found == all.end() || !has_columns(evidence.test, *found)) return std::nullopt;
  ScoredFit fit;
  fit.calibrator = &*found;
  fit.predictions = predict_curves(*found, evidence.test.curves);
  if (fit.predictions.size() == 0) return std::nullopt;
  fit.scores = score(fit.predictions.predictions());
  const auto intervals = score_intervals(fit.predictions);
  for (size_t i = 0; i < intervals.size(); ++i) {
    const ScoreColumn& column = score_columns()[i];
    fit.estimates[std::string(column.name)] = {column.value(fit.scores), intervals[i]};
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

}  // namespace roundtrip
