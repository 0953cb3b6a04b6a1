#include "roundtrip/calibration/depth_coverage.h"

#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "roundtrip/calibration/predicted_error.h"
#include "roundtrip/metrics/count_tails.h"
#include "roundtrip/metrics/normal.h"

namespace roundtrip {
namespace {

using Finding = DepthCoverage::Finding;

/// Whether trajectories were inside, by depth.
using Inside = std::map<int64_t, std::vector<bool>>;

std::vector<DepthCoverage> findings_of(
    const Inside& inside,
    const std::function<CountTails(int64_t depth, int64_t count, int64_t trials)>& tails) {
  std::vector<DepthCoverage> out;
  // Many depths are looked at: each gets its part of the error.
  const double least = kCoverageError / static_cast<double>(inside.size());
  for (const auto& [depth, all] : inside) {
    DepthCoverage found{.depth = depth, .trajectories = static_cast<int64_t>(all.size())};
    for (const bool is : all) found.inside += is ? 1 : 0;
    const CountTails likely = tails(depth, found.inside, found.trajectories);
    if (likely.at_most < least) found.finding = Finding::too_narrow;
    if (likely.at_least < least) found.finding = Finding::too_wide;
    out.push_back(found);
  }
  return out;
}

std::string depths_with(const std::vector<DepthCoverage>& coverage, Finding finding) {
  std::string text;
  for (const DepthCoverage& at : coverage) {
    if (at.finding != finding) continue;
    text += fmt::format("{}{} ({:.0f} %)", text.empty() ? "" : ", ", at.depth,
                        100 * static_cast<double>(at.inside) /
                            static_cast<double>(at.trajectories));
  }
  return text;
}

}  // namespace

std::vector<DepthCoverage> gaussian_coverage(const HeldOut& rows, double level) {
  const double quantile = normal_quantile((1 + level) / 2);
  Inside inside;
  for (size_t i = 0; i < rows.size(); ++i) {
    const double z = (rows.y[i] - rows.mean[i]) / rows.sigma[i];
    inside[rows.depth[i]].push_back(std::abs(z) <= quantile);
  }
  return findings_of(inside, [&](int64_t, int64_t count, int64_t trials) {
    return binomial_tails(count, trials, level);
  });
}

std::vector<DepthCoverage> printed_coverage(const Calibrator& calibrator,
                                            const std::vector<Curve>& curves, double level) {
  Inside inside;
  for (const Curve& curve : curves) {
    const std::vector<double>& target = curve.column(calibrator.key.target);
    for (size_t at = 0; at < curve.size(); ++at) {
      const ErrorBounds bounds = predict_error(calibrator, curve, at, level).bounds();
      const double e = target[at];
      inside[curve.depths[at]].push_back(std::isfinite(e) && bounds.low <= e && e <= bounds.high);
    }
  }
  return findings_of(inside, [&](int64_t depth, int64_t count, int64_t trials) {
    const ConformalGroup* group = calibrator.conformal.find(depth);
    if (group == nullptr || !calibrator.conformal.at(depth, level)) {
      return binomial_tails(count, trials, level);
    }
    const auto n = static_cast<double>(group->trajectories);
    const double rank = std::ceil((n + 1) * level - 1e-9);
    return beta_binomial_tails(count, trials, rank, n + 1 - rank);
  });
}

std::string coverage_words(const std::vector<DepthCoverage>& coverage) {
  const std::string narrow = depths_with(coverage, Finding::too_narrow);
  const std::string wide = depths_with(coverage, Finding::too_wide);
  if (narrow.empty() && wide.empty()) {
    return fmt::format("holds its share of errors at all {} depths", coverage.size());
  }
  std::string text = "holds";
  if (!narrow.empty()) text += " too few errors at depths " + narrow;
  if (!narrow.empty() && !wide.empty()) text += ",";
  if (!wide.empty()) text += " too many at depths " + wide;
  return text + fmt::format(" of {}", coverage.size());
}

}  // namespace roundtrip
