#include "roundtrip/report/named_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {

NamedCurve to_named_curve(const std::string& label, const CalibrationCurve& curve) {
  return {.label = label,
          .x = curve.nominal,
          .y = curve.observed,
          .note = fmt::format("MA {:.3f}", curve.errors.ma)};
}

NamedCurve to_named_curve(const std::string& label, const RiskCoverage& curve, int64_t points) {
  ensure(!curve.risk.empty() && points >= 2, "to_named_curve: rows, and at least two points");
  NamedCurve named{.label = label, .note = fmt::format("AURC {:.3g}", curve.aurc)};
  const auto rows = static_cast<int64_t>(curve.risk.size());
  const int64_t steps = std::max<int64_t>(1, std::min(points, rows) - 1);
  for (int64_t i = 0; i <= steps; ++i) {
    const auto row = static_cast<size_t>((rows - 1) * i / steps);
    named.x.push_back(static_cast<double>(row + 1) / static_cast<double>(rows));
    named.y.push_back(curve.risk[row]);
  }
  return named;
}

Histogram to_histogram(const std::string& label, std::span<const double> values, int64_t bins) {
  ensure(bins > 0, "to_histogram: at least one bin");
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) {
    throw Error("report", fmt::format("histogram {}: expected finite values, found none", label));
  }
  // Equal values get a bin around them.
  const double margin = high > low ? 0 : std::max(0.5, std::abs(low) * 0.5);
  low -= margin;
  high += margin;
  Histogram histogram{.label = label};
  for (int64_t i = 0; i <= bins; ++i)
    histogram.edges.push_back(std::lerp(low, high, static_cast<double>(i) / bins));
  histogram.counts.resize(static_cast<size_t>(bins));
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const auto bin = static_cast<int64_t>((value - low) / (high - low) * static_cast<double>(bins));
    ++histogram.counts[static_cast<size_t>(std::clamp<int64_t>(bin, 0, bins - 1))];
  }
  return histogram;
}

}  // namespace roundtrip
