// El-Yaniv & Wiener 2010; area under the curve as Geifman, Uziel & El-Yaniv 2019 have it.
#include "roundtrip/metrics/risk_coverage.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/checks.h"

namespace roundtrip {
namespace {

std::vector<double> risks(std::span<const double> predicted, std::span<const double> error) {
  std::vector<size_t> order(predicted.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return predicted[a] < predicted[b]; });
  std::vector<double> result;
  result.reserve(order.size());
  double sum = 0;
  for (size_t first = 0, last = 0; first < order.size(); first = last) {
    double tied = 0;
    for (; last < order.size() && predicted[order[last]] == predicted[order[first]]; ++last) {
      tied += error[order[last]];
    }
    const double each = tied / static_cast<double>(last - first);
    for (size_t i = first; i < last; ++i) {
      sum += each;
      result.push_back(sum / static_cast<double>(i + 1));
    }
  }
  return result;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

RiskCoverage risk_coverage(std::span<const double> predicted, std::span<const double> error) {
  ensure(predicted.size() == error.size(), "predictions and errors differ in number");
  if (error.empty()) throw Error("stats", "risk-coverage: expected at least one row, found none");
  require_finite(error, "risk-coverage errors");
  if (std::any_of(predicted.begin(), predicted.end(), [](double x) { return std::isnan(x); })) {
    throw Error("stats", "risk-coverage: expected predictions that can be ranked, found NaN");
  }
  RiskCoverage curve;
  curve.risk = risks(predicted, error);
  curve.mean_error = curve.risk.back();
  curve.aurc = mean(curve.risk);
  curve.oracle_aurc = mean(risks(error, error));
  return curve;
}

std::optional<double> reduction_at(const RiskCoverage& curve, double coverage) {
  if (!(coverage > 0 && coverage <= 1)) {
    throw Error("stats", fmt::format("risk-coverage: expected a coverage above 0 and at most 1, "
                                     "found {}",
                                     coverage));
  }
  if (curve.mean_error == 0) return std::nullopt;
  const auto rows = static_cast<double>(curve.risk.size());
  const auto kept = static_cast<size_t>(std::max(1.0, std::round(coverage * rows)));
  return 1 - curve.risk[kept - 1] / curve.mean_error;
}

}  // namespace roundtrip
