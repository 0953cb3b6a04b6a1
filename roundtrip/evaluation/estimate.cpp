#include "roundtrip/evaluation/estimate.h"

#include <cmath>
#include <numeric>

namespace roundtrip {

std::vector<Estimate> estimate_each(size_t groups, const GroupStatistics& statistics) {
  const auto finite = [&](std::span<const size_t> chosen) {
    auto values = statistics(chosen);
    for (auto& value : values) {
      if (value && !std::isfinite(*value)) value.reset();
    }
    return values;
  };
  // Intervals in a table of three digits: 400 resamples place an end to a tenth of its width.
  const auto intervals = bootstrap_each(groups, finite, {.resamples = 400});
  std::vector<size_t> all(groups);
  std::iota(all.begin(), all.end(), size_t{0});
  const auto values = statistics(all);
  std::vector<Estimate> estimates;
  for (size_t i = 0; i < values.size(); ++i) estimates.push_back({values[i], intervals[i]});
  return estimates;
}

Estimate estimate(size_t groups, const GroupStatistic& statistic) {
  return estimate_each(
             groups, [&](std::span<const size_t> chosen) { return std::vector{statistic(chosen)}; })
      .front();
}

TwoChoices divide_choice(std::span<const size_t> chosen, size_t first) {
  TwoChoices parts;
  for (const size_t i : chosen) {
    if (i < first) {
      parts.first.push_back(i);
    } else {
      parts.second.push_back(i - first);
    }
  }
  return parts;
}

}  // namespace roundtrip
