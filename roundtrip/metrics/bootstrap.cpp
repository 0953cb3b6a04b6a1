// Efron 1979; percentile intervals, Efron & Tibshirani 1993, chapter 13. Drawing clusters instead
// of rows: Davison & Hinkley 1997, section 3.8.
#include "roundtrip/metrics/bootstrap.h"

#include <vector>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/random.h"
#include "roundtrip/metrics/quantile.h"

namespace roundtrip {

namespace {

void check_bootstrap(size_t groups, const BootstrapConfig& config) {
  if (groups == 0) throw Error("stats", "bootstrap: expected trajectories, found none");
  if (config.resamples < 1 || !(config.level > 0 && config.level < 1)) {
    throw Error("stats", fmt::format("bootstrap: expected at least 1 resample and a level between "
                                     "0 and 1, found {} and {}",
                                     config.resamples, config.level));
  }
}

// From the values of those resamples that have one.
std::optional<Interval> interval_of(const std::vector<double>& values,
                                    const BootstrapConfig& config) {
  if (values.empty()) return std::nullopt;
  const double tail = (1 - config.level) / 2;
  const std::vector<double> ends = quantiles(values, {{tail, 1 - tail}});
  return Interval{ends[0], ends[1], config.resamples - static_cast<int64_t>(values.size())};
}

}  // namespace

std::vector<std::optional<Interval>> bootstrap_each(size_t groups,
                                                    const GroupStatistics& statistics,
                                                    const BootstrapConfig& config) {
  check_bootstrap(groups, config);
  std::vector<std::vector<double>> values;  // of each statistic
  std::vector<size_t> chosen(groups);
  for (int64_t k = 0; k < config.resamples; ++k) {
    const RandomStream random(config.seed, "stats.bootstrap", static_cast<uint64_t>(k));
    for (size_t i = 0; i < groups; ++i) {
      chosen[i] = static_cast<size_t>(random.uniform(i) * static_cast<double>(groups));
    }
    const auto found = statistics(chosen);
    values.resize(found.size());
    for (size_t i = 0; i < found.size(); ++i) {
      if (found[i]) values[i].push_back(*found[i]);
    }
  }
  std::vector<std::optional<Interval>> intervals;
  for (const auto& of_one : values) intervals.push_back(interval_of(of_one, config));
  return intervals;
}

std::optional<Interval> bootstrap(size_t groups, const GroupStatistic& statistic,
                                  const BootstrapConfig& config) {
  const auto alone = [&](std::span<const size_t> chosen) { return std::vector{statistic(chosen)}; };
  return bootstrap_each(groups, alone, config).front();
}

}  // namespace roundtrip
