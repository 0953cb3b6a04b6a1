#include "roundtrip/metrics/scores.h"

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/groups.h"

namespace roundtrip {
namespace {

constexpr ScoreColumn kScoreColumns[] = {
    {"nll", [](const Scores& s) { return s.gaussian.nll; }},
    {"rmse", [](const Scores& s) { return s.gaussian.rmse; }},
    {"x68", [](const Scores& s) { return s.gaussian.x68; }},
    {"x95", [](const Scores& s) { return s.gaussian.x95; }},
    {"cov68", [](const Scores& s) { return s.gaussian.cov68; }},
    {"cov95", [](const Scores& s) { return s.gaussian.cov95; }},
    {"ma", [](const Scores& s) { return s.calibration.ma; }},
    {"mace", [](const Scores& s) { return s.calibration.mace; }},
    {"rmsce", [](const Scores& s) { return s.calibration.rmsce; }},
    {"crps", [](const Scores& s) { return s.gaussian.crps; }},
    {"sharpness", [](const Scores& s) { return s.gaussian.sharpness; }},
};

}  // namespace

std::span<const ScoreColumn> score_columns() { return kScoreColumns; }

Scores score(const Predictions& predictions) {
  return {gaussian_scores(predictions), calibration_curve(predictions).errors};
}

std::vector<GroupScores> score_by_group(const Predictions& predictions,
                                        std::span<const int64_t> labels) {
  ensure(labels.size() == predictions.size(), "predictions and labels differ in number");
  check(predictions);
  std::vector<GroupScores> results;
  for (const Group& group : group_by(labels)) {
    const std::vector<double> y = take(predictions.y, group.rows);
    const std::vector<double> mean = take(predictions.mean, group.rows);
    const std::vector<double> sigma = take(predictions.sigma, group.rows);
    results.push_back({group.label, score({y, mean, sigma})});
  }
  return results;
}

}  // namespace roundtrip
