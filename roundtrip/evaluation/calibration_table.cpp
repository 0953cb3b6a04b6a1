#include "roundtrip/evaluation/calibration_table.h"

#include <fmt/format.h>

#include "roundtrip/base/random.h"
#include "roundtrip/calibration/signal_table.h"
#include "roundtrip/report/named_curves.h"
#include "roundtrip/metrics/quantile.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/needs.h"
#include "roundtrip/evaluation/scored_fit.h"

namespace roundtrip {
namespace {

/// A row of the table.
struct CalibrationRow {
  std::string title;
  CalibratorKey key;
};

std::vector<CalibrationRow> calibration_rows() {
  std::vector<CalibrationRow> rows = {{"constant", {"E", "none", "alone"}},
                                      {"depth", {"E", "depth", "alone"}}};
  for (const SignalColumn* column : columns_of_role(SignalRole::baseline)) {
    rows.push_back({fmt::format("{}, depth (baseline)", column->title),
                    {"E", std::string(column->name), "depth"}});
  }
  rows.push_back({"C", {"E", "C", "alone"}});
  rows.push_back({"C, depth", {"E", "C", "depth"}});
  rows.push_back({"C, mean so far, depth", {"E", "C", "prefix_mean"}});
  return rows;
}

// The area that a right calibrator would show with the same rows: as many trajectories, each one
// independent draw, its errors shared by all its depths. Median of 200 draws.
double area_by_chance(const HeldOut& rows) {
  std::vector<double> areas;
  for (uint64_t k = 0; k < 200; ++k) {
    const RandomStream random(0, "study.area_by_chance", k);
    HeldOut drawn;
    for (size_t i = 0; i < rows.size(); ++i) {
      const auto curve = static_cast<uint64_t>(rows.curve[i]);
      drawn.add(rows.curve[i], rows.depth[i], random.normal(curve), {0, 1});
    }
    areas.push_back(calibration_curve(drawn.predictions()).errors.ma);
  }
  return quantile(areas, 0.5);
}

}  // namespace

std::vector<Section> evaluate_calibration(const Measurements& measured) {
  const ScoredFit alone = need_fit(measured, "calibration", {"E", "C", "alone"});
  TableSection table;
  table.title = "Calibration of log E";
  table.text = "Test trajectories; every calibrator was fitted to others.";
  table.columns = {"from",       "NLL",        "RMSE", "x68",        "x95",
                   "in 1 sigma", "in 2 sigma", "area", "over depth", "over best baseline"};
  CalibrationSection curves;
  const auto depth = score_on_test(measured, {"E", "depth", "alone"});
  const auto baseline = best_baseline_on_test(measured, "E");
  for (const CalibrationRow& row : calibration_rows()) {
    const auto fit = score_on_test(measured, row.key);
    if (!fit) continue;
    table.rows.push_back({word(row.title)});
    for (const char* score : {"nll", "rmse", "x68", "x95", "cov68", "cov95", "ma"}) {
      table.rows.back().push_back(fit->cell(score));
    }
    table.rows.back().push_back(gain_cell(*fit, depth));
    table.rows.back().push_back(gain_cell(*fit, baseline));
    curves.curves.push_back(
        to_named_curve(row.title, calibration_curve(fit->predictions.predictions())));
  }
  table.notes.push_back(fmt::format(
      "A right calibrator on {} trajectories would show an area of about {:.3f} if all depths of "
      "a rollout erred together, and less if they err apart.",
      measured.test.curves.size(), area_by_chance(alone.predictions)));
  if (baseline) {
    table.notes.push_back(
        fmt::format("Best seed-frame baseline: {} with depth, the best of three on these same test "
                    "trajectories, which favours the baseline.",
                    baseline->calibrator->key.signal));
  }
  if (alone.predictions.dropped > 0) {
    table.notes.push_back(fmt::format(
        "{} rows of rollouts that blew up have no finite error and are in no score here.",
        alone.predictions.dropped));
  }
  curves.title = "Calibration curves";
  curves.text = "Share of test rows inside central intervals of a nominal probability.";
  return {table, curves};
}

}  // namespace roundtrip
