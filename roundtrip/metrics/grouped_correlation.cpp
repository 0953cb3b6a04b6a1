#include "roundtrip/metrics/grouped_correlation.h"

#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/groups.h"
#include "roundtrip/metrics/moments.h"

namespace roundtrip {
namespace {

void check(const PairedCurves& curves) {
  const size_t rows = curves.trajectory.size();
  ensure(curves.depth.size() == rows && curves.x.size() == rows && curves.y.size() == rows,
         "columns of paired curves differ in length");
  std::set<std::pair<int64_t, int64_t>> seen;
  for (size_t i = 0; i < rows; ++i) {
    if (seen.emplace(curves.trajectory[i], curves.depth[i]).second) continue;
    throw Error("stats",
                fmt::format("trajectory {} has more than one row at depth {}; expected one",
                            curves.trajectory[i], curves.depth[i]));
  }
}

std::vector<std::optional<double>> each_trajectory(const PairedCurves& curves, Correlation kind) {
  check(curves);
  std::vector<std::optional<double>> results;
  for (const Group& group : group_by(curves.trajectory)) {
    results.push_back(correlate(kind, take(curves.x, group.rows), take(curves.y, group.rows)));
  }
  return results;
}

// The two quantities at one depth, a pair per trajectory.
std::pair<std::vector<double>, std::vector<double>> at_depth(const PairedCurves& curves,
                                                             int64_t depth) {
  check(curves);
  std::pair<std::vector<double>, std::vector<double>> pairs;
  for (size_t i = 0; i < curves.depth.size(); ++i) {
    if (curves.depth[i] != depth) continue;
    pairs.first.push_back(curves.x[i]);
    pairs.second.push_back(curves.y[i]);
  }
  return pairs;
}

}  // namespace

std::optional<WithinCorrelation> correlation_within(const PairedCurves& curves, Correlation kind) {
  WithinCorrelation result;
  std::vector<double> defined;
  for (const auto& value : each_trajectory(curves, kind)) {
    if (value)
      defined.push_back(*value);
    else
      ++result.undefined;
  }
  if (defined.empty()) return std::nullopt;
  Moments moments;
  moments.add(std::span<const double>(defined));
  const auto count = static_cast<double>(defined.size());
  result.trajectories = moments.count();
  result.mean = moments.mean();
  if (count > 1) result.sd = std::sqrt(moments.variance() * count / (count - 1));
  return result;
}

std::optional<double> correlation_at_depth(const PairedCurves& curves, int64_t depth,
                                           Correlation kind) {
  const auto [x, y] = at_depth(curves, depth);
  return correlate(kind, x, y);
}

std::optional<Interval> bootstrap_within(const PairedCurves& curves, Correlation kind,
                                         const BootstrapConfig& config) {
  const auto values = each_trajectory(curves, kind);
  const auto mean = [&](std::span<const size_t> chosen) -> std::optional<double> {
    double sum = 0;
    int64_t count = 0;
    for (const size_t i : chosen) {
      if (!values[i]) continue;
      sum += *values[i];
      ++count;
    }
    if (count == 0) return std::nullopt;
    return sum / static_cast<double>(count);
  };
  return bootstrap(values.size(), mean, config);
}

std::optional<Interval> bootstrap_at_depth(const PairedCurves& curves, int64_t depth,
                                           Correlation kind, const BootstrapConfig& config) {
  const auto [x, y] = at_depth(curves, depth);
  if (x.empty()) return std::nullopt;
  const auto again = [&, x = std::span(x), y = std::span(y)](std::span<const size_t> chosen) {
    return correlate(kind, take(x, chosen), take(y, chosen));
  };
  return bootstrap(x.size(), again, config);
}

}  // namespace roundtrip
