#include "roundtrip/metrics/correlation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/checks.h"
#include "roundtrip/metrics/ranks.h"

namespace roundtrip {
namespace {

// Deviations from the mean in units of the largest value, so that no square overflows or vanishes;
// empty when all values are equal (asked of the values: rounding gives their mean a deviation).
std::vector<double> deviations(std::span<const double> values) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  if (*least == *greatest) return {};
  const double scale = std::max(std::abs(*least), std::abs(*greatest));
  double mean = 0;
  for (const double value : values) mean += value / scale;
  mean /= static_cast<double>(values.size());
  std::vector<double> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(value / scale - mean);
  return result;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

std::optional<double> pearson(std::span<const double> x, std::span<const double> y) {
  ensure(x.size() == y.size(), "a correlation needs pairs");
  require_finite(x, "correlation");
  require_finite(y, "correlation");
  if (x.size() < 2) return std::nullopt;
  const std::vector<double> dx = deviations(x), dy = deviations(y);
  if (dx.empty() || dy.empty()) return std::nullopt;
  const double size = std::sqrt(dot(dx, dx) * dot(dy, dy));
  return std::clamp(dot(dx, dy) / size, -1.0, 1.0);
}

std::optional<double> spearman(std::span<const double> x, std::span<const double> y) {
  return pearson(average_ranks(x), average_ranks(y));
}

std::optional<double> correlate(Correlation kind, std::span<const double> x,
                                std::span<const double> y) {
  return kind == Correlation::pearson ? pearson(x, y) : spearman(x, y);
}

}  // namespace roundtrip
