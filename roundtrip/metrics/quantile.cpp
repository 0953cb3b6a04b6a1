#include "roundtrip/metrics/quantile.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/checks.h"

namespace roundtrip {
namespace {

// From the nearer end, so that the result is exact at both (NumPy's form, digit for digit).
double interpolate(double low, double high, double share) {
  const double step = high - low;
  return share < 0.5 ? low + step * share : high - step * (1 - share);
}

// Reorders `values`.
double take_quantile(std::vector<double>& values, double level) {
  const double place = level * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), low, values.end());
  if (low + 1 == values.end()) return *low;
  const double high = *std::min_element(low + 1, values.end());
  return interpolate(*low, high, place - static_cast<double>(below));
}

}  // namespace

std::vector<double> quantiles(std::span<const double> values, std::span<const double> levels) {
  if (values.empty()) throw Error("stats", "quantile: expected values, found none");
  require_finite(values, "quantile");
  std::vector<double> copy(values.begin(), values.end());
  std::vector<double> results;
  for (const double level : levels) {
    if (!(level >= 0 && level <= 1)) {
      throw Error("stats", fmt::format("quantile: expected a level from 0 to 1, found {}", level));
    }
    results.push_back(take_quantile(copy, level));
  }
  return results;
}

double quantile(std::span<const double> values, double level) {
  return quantiles(values, {{level}}).front();
}

}  // namespace roundtrip
