// The band that `trust` prints, on rollouts whose errors no calibrator of this house describes:
// log E is far more certain at the first depths than deeper, off any polynomial in log depth, with
// heavy tails at the deepest. Coverage is counted at every depth, over many tables of calibration
// trajectories.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "roundtrip/base/random.h"
#include "roundtrip/calibration/calibrate.h"
#include "roundtrip/calibration/predicted_error.h"

namespace roundtrip {
namespace {

const std::vector<int64_t> kBandDepths = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
constexpr double kBandLevel = 0.95;
constexpr uint64_t kFresh = 20;  // trajectories to count on, of every table

enum class Bend { smooth, kinked };

// Of log E given log C, at a depth.
double band_offset(Bend bend, int64_t depth) {
  if (bend == Bend::kinked) return depth == 1 ? -0.5 : depth == 2 ? 0.35 : 0;
  return -1.2 * std::exp((1 - static_cast<double>(depth)) / 3);
}
double band_spread(Bend bend, int64_t depth) {
  if (bend == Bend::kinked) return depth <= 2 ? 0.05 : depth <= 4 ? 0.12 : 0.6;
  const auto d = static_cast<double>(depth);
  return 0.06 + 0.5 * d * d / (d * d + 36);
}

Curve uneven_curve(Bend bend, uint64_t table, uint64_t trajectory) {
  const RandomStream random(table, "test.bands", trajectory);
  const double quality = random.normal(0), shared = random.normal(1);
  Curve curve;
  for (const int64_t depth : kBandDepths) {
    const auto at = static_cast<uint64_t>(4 * depth);
    const double log_c =
        -4 + 1.2 * std::log(static_cast<double>(depth)) + 0.4 * quality + 0.1 * random.normal(at);
    double residual = std::sqrt(0.5) * (shared + random.normal(at + 1));
    if (depth >= 16) residual *= std::exp(0.5 * random.normal(at + 2));
    const double log_e =
        0.8 * log_c + band_offset(bend, depth) + band_spread(bend, depth) * residual;
    curve.add(depth, {{"C", std::exp(log_c)}, {"E", std::exp(log_e)}});
  }
  return curve;
}

std::vector<Curve> uneven_curves(Bend bend, uint64_t table, uint64_t first, uint64_t count) {
  std::vector<Curve> curves;
  for (uint64_t t = first; t < first + count; ++t) curves.push_back(uneven_curve(bend, table, t));
  return curves;
}

/// Shares of fresh rollouts whose E a band holds, by depth.
struct BandShares {
  std::vector<double> printed, upper, gaussian;
};

BandShares count_bands(Bend bend, uint64_t tables, uint64_t trajectories,
                       const CalibrateOptions& options = {}) {
  const size_t n = kBandDepths.size();
  BandShares shares{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  const double one = 1.0 / static_cast<double>(tables * kFresh);
  for (uint64_t table = 0; table < tables; ++table) {
    const Calibrator calibrator =
        calibrate_one({.key = {"E", "C", "depth"}, .baseline = false},
                      uneven_curves(bend, table, 0, trajectories), options)
            .calibrator;
    for (const Curve& curve : uneven_curves(bend, table, 1000, kFresh)) {
      for (size_t at = 0; at < n; ++at) {
        const double e = curve.column("E")[at];
        const PredictedError predicted = predict_error(calibrator, curve, at, kBandLevel);
        const auto inside = [e](const ErrorBounds& b) { return b.low <= e && e <= b.high; };
        shares.printed[at] += inside(predicted.bounds()) ? one : 0;
        shares.gaussian[at] += inside(predicted.gaussian) ? one : 0;
        shares.upper[at] += e <= predicted.bounds().upper ? one : 0;
      }
    }
  }
  return shares;
}

/// What a conformal band of n trajectories promises, and four standard errors of a count of it.
struct Promise {
  double share, bound;
};

// Given its table, coverage follows Beta(r, n + 1 - r), r the rank of the quantile, and counts on
// fresh rollouts a binomial law with that share: two variances. Four standard errors are exceeded
// with probability 6e-5 a comparison, 2.5e-3 in the forty of a test below.
Promise promise(uint64_t tables, uint64_t trajectories) {
  const auto n = static_cast<double>(trajectories), t = static_cast<double>(tables);
  const double share = std::ceil((n + 1) * kBandLevel - 1e-9) / (n + 1);
  const double variance =
      share * (1 - share) * (1 / ((n + 2) * t) + 1 / (t * static_cast<double>(kFresh)));
  return {share, 4 * std::sqrt(variance)};
}

void expect_promise(Bend bend, uint64_t tables, uint64_t trajectories, double too_wide) {
  const BandShares found = count_bands(bend, tables, trajectories);
  const Promise promised = promise(tables, trajectories);
  fmt::print("{} trajectories, {} tables: promised {:.4f} +-{:.4f}\n", trajectories, tables,
             promised.share, promised.bound);
  for (size_t at = 0; at < kBandDepths.size(); ++at) {
    fmt::print("depth {:2}: printed {:.4f}, upper {:.4f}, Gaussian {:.4f}\n", kBandDepths[at],
               found.printed[at], found.upper[at], found.gaussian[at]);
    for (const double share : {found.printed[at], found.upper[at]}) {
      EXPECT_GE(share, promised.share - promised.bound) << "depth " << kBandDepths[at];
      EXPECT_LE(share, promised.share + promised.bound + too_wide) << "depth " << kBandDepths[at];
    }
  }
}

TEST(PrintedBand, HoldsItsShareAtEveryDepth) {
  expect_promise(Bend::smooth, 100, 40, /*too_wide=*/0);
  expect_promise(Bend::smooth, 50, 100, /*too_wide=*/0);
}

// Held-out scores scatter a little more than errors of new rollouts do: a trajectory that is left
// out moves the fit away from itself, most where errors are smallest. Bands are wider for it, never
// narrower; docs/concepts/calibration.md has the numbers.
TEST(PrintedBand, SlowHoldsItsShareAtEveryDepth) {
  expect_promise(Bend::smooth, 1000, 40, /*too_wide=*/0.005);
  expect_promise(Bend::smooth, 500, 100, /*too_wide=*/0);
  expect_promise(Bend::kinked, 1000, 40, /*too_wide=*/0.01);
  expect_promise(Bend::kinked, 500, 100, /*too_wide=*/0);
}

// The band that was printed before: one sigma at all depths, the Gaussian's quantiles.
TEST(PrintedBand, OneSigmaForAllDepthsDoesNot) {
  CalibrateOptions options;
  options.grid.highest.log_sigma = 0;
  options.grid.rule = DegreeRule::unpaired;
  for (const uint64_t trajectories : {40, 100}) {
    const Promise promised = promise(50, trajectories);
    const BandShares found = count_bands(Bend::smooth, 50, trajectories, options);
    int64_t narrow = 0, wide = 0;
    for (size_t at = 0; at < kBandDepths.size(); ++at) {
      narrow += found.gaussian[at] < promised.share - promised.bound ? 1 : 0;
      wide += found.gaussian[at] > promised.share + promised.bound ? 1 : 0;
    }
    EXPECT_GE(narrow, 2);
    EXPECT_GE(wide, 2);
    const auto [least, most] = std::minmax_element(found.gaussian.begin(), found.gaussian.end());
    EXPECT_LT(*least, 0.9);
    EXPECT_GT(*most, 0.99);
  }
}

}  // namespace
}  // namespace roundtrip
