#include "roundtrip/evaluation/tolerance.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "roundtrip/calibration/trusted_depth.h"
#include "roundtrip/metrics/correlation.h"
#include "roundtrip/metrics/groups.h"
#include "roundtrip/metrics/quantile.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/depth_grid.h"
#include "roundtrip/evaluation/needs.h"
#include "roundtrip/evaluation/scored_fit.h"

namespace roundtrip {
namespace {

constexpr double kUpperLevel = 0.95;
constexpr double kToleranceLevels[] = {.25, .5, .75};

/// A number at every depth of a rollout that is to stay within a tolerance.
struct DepthRule {
  std::string title;
  std::function<std::vector<double>(const Curve&)> values;
  bool on_c = false;  // the tolerance is one on C
};

/// Which upper end of E.
enum class Bound { gaussian, conformal_at_each, conformal_at_all };

// NaN where the signal has none: nothing unknown is trusted.
std::vector<double> upper_errors(const Calibrator& calibrator, const Curve& curve, Bound bound) {
  std::vector<double> values;
  for (size_t i = 0; i < curve.size(); ++i) {
    const std::vector<double> x = inputs_at(calibrator.features, curve, i);
    values.push_back(std::numeric_limits<double>::quiet_NaN());
    if (std::any_of(x.begin(), x.end(), [](double value) { return std::isnan(value); })) continue;
    const UpperError upper = calibrator.upper_error(curve, i, kUpperLevel,
                                                    bound == Bound::conformal_at_all
                                                        ? Calibrator::Holds::all_depths
                                                        : Calibrator::Holds::each_depth);
    values.back() =
        bound == Bound::gaussian ? upper.gaussian : upper.conformal.value_or(values.back());
  }
  return values;
}

DepthRule upper_rule(std::string title, const Calibrator& calibrator, Bound bound) {
  return {std::move(title), [&calibrator, bound](const Curve& curve) {
            return upper_errors(calibrator, curve, bound);
          }};
}

std::vector<DepthRule> depth_rules(const Measurements& measured) {
  const ScoredFit fit = need_fit(measured, "tolerance", {"E", "C", "depth"});
  std::vector<DepthRule> rules = {
      upper_rule("upper 95 %, C and depth", *fit.calibrator, Bound::gaussian)};
  if (!fit.calibrator->conformal.groups.empty()) {
    rules.push_back(upper_rule("conformal at each depth, C and depth", *fit.calibrator,
                               Bound::conformal_at_each));
    rules.push_back(upper_rule("conformal at all depths, C and depth", *fit.calibrator,
                               Bound::conformal_at_all));
  }
  rules.push_back({"C itself", [](const Curve& curve) { return curve.column("C"); }, true});
  if (const auto depth = score_on_test(measured, {"E", "depth", "alone"})) {
    rules.push_back(upper_rule("upper 95 %, depth alone", *depth->calibrator, Bound::gaussian));
  }
  return rules;
}

std::vector<double> trusted_depths(const CurveTable& table, const DepthRule& rule,
                                   double tolerance) {
  std::vector<double> depths;
  for (const Curve& curve : table.curves) {
    const auto found = trusted_depth(curve.depths, rule.values(curve), tolerance);
    depths.push_back(static_cast<double>(found.first_crossing));
  }
  return depths;
}

// Mean depth by the rule, mean distance from the true one, share trusted too deep, Spearman.
std::vector<std::optional<double>> agreement(const std::vector<double>& predicted,
                                             const std::vector<double>& truth) {
  double sum = 0, distance = 0, misses = 0;
  for (size_t i = 0; i < predicted.size(); ++i) {
    sum += predicted[i];
    distance += std::abs(predicted[i] - truth[i]);
    misses += truth[i] < predicted[i] ? 1 : 0;
  }
  const auto n = static_cast<double>(predicted.size());
  return {sum / n, distance / n, misses / n, spearman(predicted, truth)};
}

std::vector<TableCell> rule_row(std::string title, const std::vector<double>& predicted,
                                const std::vector<double>& truth) {
  std::vector<TableCell> row = {word(std::move(title))};
  const auto found = estimate_each(truth.size(), [&](std::span<const size_t> chosen) {
    return agreement(take(predicted, chosen), take(truth, chosen));
  });
  for (const Estimate& each : found) row.push_back(number(each));
  return row;
}

TableSection tolerance_table(const Measurements& measured, const std::vector<DepthRule>& rules,
                             double tolerance_e, double tolerance_c, double level) {
  const DepthRule truth{"truth", [](const Curve& curve) { return curve.column("E"); }};
  TableSection table;
  table.title = fmt::format("Trusted depth for E up to {:.3g}", tolerance_e);
  table.text = fmt::format(
      "Tolerance at the {} quantile of the test rollouts' E; on C, {:.3g}, the same quantile of "
      "theirs, so that this one rule is fitted to the rollouts it is judged on. A miss is a "
      "rollout whose E exceeds the tolerance within the depth "
      "that was trusted.",
      level, tolerance_c);
  table.columns = {"rule", "mean depth", "mean distance from the truth", "misses", "Spearman"};
  const std::vector<double> known = trusted_depths(measured.test, truth, tolerance_e);
  for (const DepthRule& rule : rules) {
    const auto predicted =
        trusted_depths(measured.test, rule, rule.on_c ? tolerance_c : tolerance_e);
    table.rows.push_back(rule_row(rule.title, predicted, known));
  }
  table.rows.push_back(rule_row("the truth", known, known));
  return table;
}

}  // namespace

std::vector<Section> evaluate_tolerance(const Measurements& measured) {
  const std::vector<int64_t> depths = need_depths(measured.test, "tolerance", {"C", "E"});
  const std::vector<DepthRule> rules = depth_rules(measured);
  const std::vector<double> e = grid_of(measured.test, "E", depths).values;
  const std::vector<double> c = grid_of(measured.test, "C", depths).values;
  std::vector<Section> sections;
  for (const double level : kToleranceLevels) {
    sections.emplace_back(
        tolerance_table(measured, rules, quantile(e, level), quantile(c, level), level));
  }
  return sections;
}

}  // namespace roundtrip
