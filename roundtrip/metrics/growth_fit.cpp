#include "roundtrip/metrics/growth_fit.h"

#include <algorithm>
#include <cmath>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/checks.h"
#include "roundtrip/metrics/moments.h"

namespace roundtrip {

GrowthFit fit_growth(std::span<const double> depth, std::span<const double> error) {
  ensure(depth.size() == error.size(), "depths and errors differ in number");
  require_finite(depth, "growth: depth");
  require_positive(error, "growth: error");
  const auto range = std::minmax_element(depth.begin(), depth.end());
  if (depth.empty() || *range.first == *range.second) {
    throw Error("stats", "growth: expected at least two different depths, found fewer");
  }
  Moments depths;
  depths.add(depth);
  double mean_log = 0, product = 0;
  for (const double e : error) mean_log += std::log(e) / static_cast<double>(error.size());
  for (size_t i = 0; i < depth.size(); ++i) {
    product += (depth[i] - depths.mean()) * (std::log(error[i]) - mean_log);
  }
  const double slope = product / (depths.variance() * static_cast<double>(depth.size()));
  const auto fit = [&](double d) { return std::exp(mean_log + slope * (d - depths.mean())); };
  GrowthFit result{.first = fit(1), .ratio = std::exp(slope), .max_misfit = 0};
  for (size_t i = 0; i < depth.size(); ++i) {
    result.max_misfit = std::max(result.max_misfit, std::abs(fit(depth[i]) / error[i] - 1));
  }
  return result;
}

}  // namespace roundtrip
