#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "roundtrip/metrics/bootstrap.h"

namespace roundtrip {

/// A statistic with its interval over trajectories; no value where it is undefined.
struct Estimate {
  std::optional<double> value = {};
  std::optional<Interval> interval = {};
};

/// Statistics of groups (trajectories): their values on all groups, each once, and 95 percent
/// intervals from resamples. An Error without groups.
std::vector<Estimate> estimate_each(size_t groups, const GroupStatistics& statistics);
Estimate estimate(size_t groups, const GroupStatistic& statistic);

/// Choices among `first` groups and those after them, counted from there: two tables resampled
/// together. A statistic of both is undefined where one of them has none.
using TwoChoices = std::pair<std::vector<size_t>, std::vector<size_t>>;
TwoChoices divide_choice(std::span<const size_t> chosen, size_t first);

}  // namespace roundtrip
