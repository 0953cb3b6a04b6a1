#include "roundtrip/evaluation/augmentation.h"

#include <string_view>

#include "roundtrip/evaluation/bound_coverage.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/held_out_rows.h"
#include "roundtrip/evaluation/needs.h"
#include "roundtrip/evaluation/scored_fit.h"

namespace roundtrip {
namespace {

/// What is read beside C, and the row it is held against.
struct AugmentedRow {
  const char* title;
  const char* features;
  const char* over;
};

const std::vector<AugmentedRow>& augmented_rows() {
  static const std::vector<AugmentedRow> rows = {
      {"C", "alone", ""},
      {"C, depth", "depth", "alone"},
      {"C, mean so far, depth", "prefix_mean", "alone"},
      {"C, mean of the rollout, depth (post hoc)", "trajectory_mean", "alone"},
      {"... and early level, slope (post hoc)", "shape", "trajectory_mean"},
  };
  return rows;
}

TableSection gain_table(const Measurements& measured) {
  TableSection table;
  table.title = "What C gains from its own past";
  table.text =
      "Test trajectories; gains in nats a row, paired, over C alone, the last over the row "
      "above it.";
  table.columns = {"from", "NLL", "x68", "area", "gain"};
  for (const AugmentedRow& row : augmented_rows()) {
    const auto fit = score_on_test(measured, {"E", "C", row.features});
    if (!fit) continue;
    std::optional<ScoredFit> reference;
    if (*row.over != '\0') reference = score_on_test(measured, {"E", "C", row.over});
    table.rows.push_back({word(row.title), fit->cell("nll"), fit->cell("x68"), fit->cell("ma"),
                          gain_cell(*fit, reference)});
  }
  return table;
}

Estimate area_at(const ScoredFit& fit, int64_t depth) {
  const HeldOut rows = rows_at_depth(fit.predictions, depth);
  if (rows.size() == 0) return {};
  const auto ranges = rows_by_curve(rows);
  return estimate(ranges.size(), [&](std::span<const size_t> chosen) {
    return std::optional(
        calibration_curve(chosen_curves(rows, ranges, chosen).predictions()).errors.ma);
  });
}

TableSection area_table(const Measurements& measured, const std::vector<int64_t>& depths) {
  TableSection table;
  table.title = "Miscalibration area by depth";
  table.text = "Few trajectories at a depth show an area even when calibrated.";
  table.columns = {"depth"};
  std::vector<std::vector<TableCell>> columns;
  for (const AugmentedRow& row : augmented_rows()) {
    const std::string_view features = row.features;
    if (features != "alone" && features != "prefix_mean" && features != "trajectory_mean") continue;
    const auto fit = score_on_test(measured, {"E", "C", row.features});
    if (!fit) continue;
    table.columns.emplace_back(row.title);
    columns.emplace_back();
    for (const int64_t depth : depths) columns.back().push_back(number(area_at(*fit, depth)));
  }
  for (size_t i = 0; i < depths.size(); ++i) {
    table.rows.push_back({count(depths[i])});
    for (const auto& column : columns) table.rows.back().push_back(column[i]);
  }
  return table;
}

}  // namespace

std::vector<Section> evaluate_augmentation(const Measurements& measured) {
  const ScoredFit alone = need_fit(measured, "augmentation", {"E", "C", "alone"});
  std::vector<Section> sections = {gain_table(measured),
                                   area_table(measured, depths_of(alone.predictions))};
  if (const auto fit = score_on_test(measured, {"E", "C", "depth"})) {
    sections.emplace_back(bound_coverage_table(measured, *fit->calibrator));
  }
  return sections;
}

}  // namespace roundtrip
