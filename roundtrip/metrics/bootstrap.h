#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace roundtrip {

struct BootstrapConfig {
  int64_t resamples = 1000;  // draws of as many groups as there are, with replacement
  double level = 0.95;       // probability inside the interval
  uint64_t seed = 0;         // resample k depends on seed and k alone
};

/// A percentile interval.
struct Interval {
  double low = 0;
  double high = 0;
  int64_t undefined = 0;  // resamples left out because the statistic had no value on them
};

/// A statistic of chosen groups, given by position and possibly repeated; none when undefined.
using GroupStatistic = std::function<std::optional<double>(std::span<const size_t> chosen)>;

/// The percentile bootstrap over groups. Rows of one trajectory are not independent, so the unit
/// drawn is always the whole group. None when no resample has a value; with one group the interval
/// is a point. An Error without groups or with settings out of range.
std::optional<Interval> bootstrap(size_t groups, const GroupStatistic& statistic,
                                  const BootstrapConfig& config = {});

/// Several statistics of the same chosen groups, always as many.
using GroupStatistics =
    std::function<std::vector<std::optional<double>>(std::span<const size_t> chosen)>;

/// `bootstrap` of each, from the same resamples: for statistics that share their work.
std::vector<std::optional<Interval>> bootstrap_each(size_t groups,
                                                    const GroupStatistics& statistics,
                                                    const BootstrapConfig& config = {});

}  // namespace roundtrip
