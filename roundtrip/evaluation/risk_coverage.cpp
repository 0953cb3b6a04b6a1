#include "roundtrip/evaluation/risk_coverage.h"

#include <cmath>

#include "roundtrip/report/named_curves.h"
#include "roundtrip/metrics/risk_coverage.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/held_out_rows.h"
#include "roundtrip/evaluation/needs.h"
#include "roundtrip/evaluation/scored_fit.h"

namespace roundtrip {
namespace {

constexpr double kCoverages[] = {.9, .8, .7};

/// Rows ranked by `mean`, whatever predicted it.
struct RankedRows {
  std::string title;
  HeldOut rows;
};

RiskCoverage risk_of(const HeldOut& rows) {
  std::vector<double> error;
  for (const double y : rows.y) error.push_back(std::exp(y));
  return risk_coverage(rows.mean, error);
}

std::vector<std::optional<double>> reductions(const HeldOut& rows) {
  const RiskCoverage curve = risk_of(rows);
  std::vector<std::optional<double>> values;
  for (const double coverage : kCoverages) values.push_back(reduction_at(curve, coverage));
  return values;
}

std::vector<std::optional<double>> mean_reductions(const HeldOut& rows) {
  std::vector<double> sums(std::size(kCoverages), 0);
  const std::vector<int64_t> depths = depths_of(rows);
  for (const int64_t depth : depths) {
    const auto found = reductions(rows_at_depth(rows, depth));
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += found[i].value_or(0);
  }
  std::vector<std::optional<double>> means;
  for (const double sum : sums) means.emplace_back(sum / static_cast<double>(depths.size()));
  return means;
}

// The rows ranked by their own error: nothing can do better.
HeldOut oracle(HeldOut rows) {
  rows.mean = rows.y;
  return rows;
}

// What each coverage gains at fixed depths, and which part of what the oracle gains.
std::vector<std::optional<double>> with_shares(const HeldOut& rows) {
  auto values = mean_reductions(rows);
  const auto best = mean_reductions(oracle(rows));
  for (size_t i = 0; i < best.size(); ++i) {
    values.push_back(*best[i] > 0 ? std::optional(*values[i] / *best[i]) : std::nullopt);
  }
  return values;
}

std::vector<RankedRows> rankings(const Measurements& measured) {
  const ScoredFit best = need_fit(measured, "risk_coverage", {"E", "C", "depth"});
  std::vector<RankedRows> all = {{"C, depth", best.predictions}};
  if (const auto fit = score_on_test(measured, {"E", "C", "alone"})) {
    all.push_back({"C", fit->predictions});
  }
  if (const auto fit = best_baseline_on_test(measured, "E")) {
    all.push_back({"best baseline: " + fit->calibrator->key.signal + ", depth", fit->predictions});
  }
  if (const auto fit = score_on_test(measured, {"E", "depth", "alone"})) {
    all.push_back({"depth", fit->predictions});
  }
  all.push_back({"oracle", oracle(best.predictions)});
  return all;
}

std::vector<TableCell> reduction_row(const RankedRows& ranked,
                                     std::vector<std::optional<double>> (*values)(const HeldOut&)) {
  const auto ranges = rows_by_curve(ranked.rows);
  const auto found = estimate_each(ranges.size(), [&](std::span<const size_t> chosen) {
    return values(chosen_curves(ranked.rows, ranges, chosen));
  });
  std::vector<TableCell> row = {word(ranked.title)};
  for (const Estimate& value : found) row.push_back(number(value));
  return row;
}

TableSection pooled_table(const std::vector<RankedRows>& all) {
  TableSection table;
  table.title = "Selective prediction over all depths";
  table.text = "How much lower the mean E is of the rows kept than of all.";
  table.columns = {"ranked by", "90 % kept", "80 % kept", "70 % kept"};
  for (const RankedRows& ranked : all) {
    table.rows.push_back(reduction_row(ranked, reductions));
  }
  return table;
}

TableSection fixed_depth_table(const std::vector<RankedRows>& all) {
  TableSection table;
  table.title = "Selective prediction at a fixed depth";
  table.text =
      "The same among rollouts at one depth, mean over depths, and as a share of what the "
      "oracle gains. The depth alone gains nothing here.";
  table.columns = {"ranked by",     "90 % kept",     "80 % kept",    "70 % kept",
                   "share at 90 %", "share at 80 %", "share at 70 %"};
  for (const RankedRows& ranked : all) {
    if (ranked.title == "depth") continue;
    table.rows.push_back(reduction_row(ranked, with_shares));
  }
  return table;
}

}  // namespace

std::vector<Section> evaluate_risk_coverage(const Measurements& measured) {
  const std::vector<RankedRows> all = rankings(measured);
  RiskCoverageSection curves;
  curves.title = "Risk and coverage";
  curves.text =
      "Mean E of the test rows that are kept, those of the highest predicted error set "
      "aside.";
  for (const RankedRows& ranked : all) {
    curves.curves.push_back(to_named_curve(ranked.title, risk_of(ranked.rows)));
  }
  return {curves, pooled_table(all), fixed_depth_table(all)};
}

}  // namespace roundtrip
