#include "roundtrip/calibration/conformal.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"

namespace roundtrip {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Conformal, QuantileIsARank) {
  EXPECT_EQ(conformal_quantile({5, 1, 4, 2, 3}, 0.5), 3);  // the 3rd of 5
  std::vector<double> nineteen;
  for (int i = 1; i <= 19; ++i) nineteen.push_back(i);
  EXPECT_EQ(conformal_quantile(nineteen, 0.95), 19);
  nineteen.pop_back();
  EXPECT_EQ(conformal_quantile(nineteen, 0.95), kInfinity);
  EXPECT_EQ(conformal_quantile({}, 0.9), kInfinity);
  EXPECT_EQ(fewest_trajectories(0.95), 19);
  EXPECT_EQ(fewest_trajectories(0.9), 9);
}

TEST(Conformal, AGroupTakesTheWorstDepthOfATrajectory) {
  const double nan = std::nan("");
  const std::vector<DepthScore> scores = {{0, 1, -3}, {0, 2, 1},   {1, 1, 0.5}, {1, 2, 2},
                                          {2, 1, 1},  {2, 2, nan}, {3, 1, 7}};
  const ConformalTable table = conformal_table(scores, {0.5});
  ASSERT_EQ(table.groups.size(), 3u);
  const ConformalGroup& first = *table.find(1);
  EXPECT_EQ(first.trajectories, 4);
  EXPECT_EQ(first.two_sided[0], 3);  // of 0.5 1 3 7
  EXPECT_EQ(first.upper[0], 1);      // of -3 0.5 1 7
  const std::vector<int64_t> both = {1, 2};
  const ConformalGroup& all = *table.find(both);
  EXPECT_EQ(all.trajectories, 3);  // trajectory 3 lacks a depth
  EXPECT_EQ(all.two_sided[0], 3);  // of 2 3 infinity
  EXPECT_EQ(table.find(3), nullptr);
}

TEST(Conformal, DepthsWithoutASignalAreNoGroups) {
  const double nan = std::nan("");
  const ConformalTable table = conformal_table(
      std::vector<DepthScore>{{0, 1, nan}, {1, 1, nan}, {0, 4, 1}, {1, 4, 2}}, {0.5});
  EXPECT_EQ(table.find(1), nullptr);
  EXPECT_EQ(table.groups.size(), 1u);
  EXPECT_EQ(table.find(4)->upper[0], 2);
}

TEST(Conformal, AnInfiniteQuantileIsAnInfiniteBand) {
  const ErrorBand band = error_band({.mean = 1, .sigma = 0.5}, kInfinity);
  EXPECT_EQ(band.low, 0);
  EXPECT_EQ(band.high, kInfinity);
  EXPECT_NEAR(error_band({.mean = 1, .sigma = 0.5}, 2).high, std::exp(2), 1e-12);
}

// z of a calibrator that is right at depth 1 and, ever more, biased and too sure of itself deeper;
// a factor per trajectory makes depths depend on one another.
double wrong_z(const RandomStream& random, uint64_t trajectory, int64_t depth) {
  const auto at = 8 * trajectory;
  const double z = 0.8 * random.normal(at) + 0.6 * random.normal(at + static_cast<uint64_t>(depth));
  return z * (1 + 0.5 * static_cast<double>(depth - 1)) + 0.4 * static_cast<double>(depth - 1);
}

TEST(Conformal, HoldsWhereTheCalibratorFails) {
  constexpr uint64_t kRuns = 4000;
  constexpr uint64_t kTrajectories = 39;
  constexpr int64_t kDepths = 4;
  const std::vector<double> levels = {0.9, 0.95};
  // Inside: [level][depth - 1], the last place for all depths at once.
  std::vector<std::vector<double>> two_sided(2, std::vector<double>(kDepths + 1)),
      upper = two_sided;
  double plain = 0;
  for (uint64_t run = 0; run < kRuns; ++run) {
    const RandomStream random(3, "test.conformal", run);
    std::vector<DepthScore> scores;
    for (uint64_t t = 0; t < kTrajectories; ++t) {
      for (int64_t d = 1; d <= kDepths; ++d) {
        scores.push_back({static_cast<int64_t>(t), d, wrong_z(random, t, d)});
      }
    }
    const ConformalTable table = conformal_table(scores, levels);
    for (size_t level = 0; level < 2; ++level) {
      bool all_two_sided = true, all_upper = true;
      for (int64_t d = 1; d <= kDepths; ++d) {
        const double z = wrong_z(random, kTrajectories, d);
        const auto place = static_cast<size_t>(d - 1);
        two_sided[level][place] += std::abs(z) <= table.find(d)->two_sided[level] ? 1 : 0;
        upper[level][place] += z <= table.find(d)->upper[level] ? 1 : 0;
        all_two_sided = all_two_sided && std::abs(z) <= table.groups.back().two_sided[level];
        all_upper = all_upper && z <= table.groups.back().upper[level];
        if (level == 1 && d == kDepths) plain += std::abs(z) <= 1.96 ? 1 : 0;
      }
      two_sided[level][kDepths] += all_two_sided ? 1 : 0;
      upper[level][kDepths] += all_upper ? 1 : 0;
    }
  }
  EXPECT_LT(plain / kRuns, 0.7);  // what is nominally 95 percent at the deepest depth
  for (size_t level = 0; level < 2; ++level) {
    const double exact = std::ceil(40 * levels[level] - 1e-9) / 40;
    const double bound = 4 * std::sqrt(exact * (1 - exact) / kRuns);
    for (size_t place = 0; place <= kDepths; ++place) {
      EXPECT_NEAR(two_sided[level][place] / kRuns, exact, bound) << level << " " << place;
      EXPECT_NEAR(upper[level][place] / kRuns, exact, bound) << level << " " << place;
    }
  }
}

}  // namespace
}  // namespace roundtrip
