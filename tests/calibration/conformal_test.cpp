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
  ASSERT_EQ(table.groups.size(), 2u);
  const ConformalGroup& first = *table.find(1);
  EXPECT_EQ(first.trajectories, 4);
  EXPECT_EQ(first.two_sided[0], 3);  // of 0.5 1 3 7
  EXPECT_EQ(first.upper[0], 1);      // of -3 0.5 1 7
  const ConformalGroup& all = table.all.value();
  EXPECT_EQ(all.depths, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(all.trajectories, 3);  // trajectory 3 lacks a depth
  EXPECT_EQ(all.two_sided[0], 3);  // of 2 3 infinity
  EXPECT_EQ(table.find(3), nullptr);
}

TEST(Conformal, TrajectoriesWeighAlikeHoweverManyScoresTheyHave) {
  // One score each: the plain quantile, infinite where that is.
  const RandomStream random(9, "test.pooled");
  for (uint64_t n = 1; n < 60; ++n) {
    std::vector<double> plain;
    std::vector<std::vector<double>> pooled;
    for (uint64_t i = 0; i < n; ++i) {
      plain.push_back(random.normal(100 * n + i));
      pooled.push_back({plain.back()});
    }
    for (const double level : {0.5, 0.9, 0.95}) {
      EXPECT_EQ(pooled_quantile(pooled, level), conformal_quantile(plain, level)) << n;
    }
  }
  // Trajectories of 4, 1 and 2 scores: shares 1/4, 1 and 1/2 of 3 + 1.
  const std::vector<std::vector<double>> few = {{1, 2, 3, 4}, {2.5}, {5, 0}};
  EXPECT_EQ(pooled_quantile(few, 0.125), 0);   // 1/2 of the 1/2 asked for
  EXPECT_EQ(pooled_quantile(few, 0.25), 2);    // 1/2 + 1/4 + 1/4
  EXPECT_EQ(pooled_quantile(few, 0.5), 2.5);   // 2 asked for, 1 + 1
  EXPECT_EQ(pooled_quantile(few, 0.75), 5);    // all three
  EXPECT_EQ(pooled_quantile(few, 0.76), kInfinity);
}

// Every trajectory has three of nine depths: ten have each.
TEST(Conformal, NeighboursShareAGroupUntilTheyHaveEnoughTrajectories) {
  std::vector<DepthScore> scores;
  for (int64_t t = 0; t < 30; ++t) {
    for (int64_t k = 0; k < 3; ++k) scores.push_back({t, 1 + t % 3 + 3 * k, 0.1 * (t + k)});
  }
  const ConformalTable table = conformal_table(scores, {0.9, 0.95});
  // 95 percent needs 19: two neighbours have 20, the ninth joins the last pair.
  std::vector<std::vector<int64_t>> found;
  for (const ConformalGroup& group : table.groups) found.push_back(group.depths);
  EXPECT_EQ(found, (std::vector<std::vector<int64_t>>{{1, 2}, {3, 4}, {5, 6}, {7, 8, 9}}));
  EXPECT_EQ(table.groups[0].trajectories, 20);
  EXPECT_EQ(table.groups[3].trajectories, 30);
  EXPECT_TRUE(std::isfinite(table.at(9, 0.95)->two_sided));
  // For 90 percent alone ten are enough, and every depth is by itself.
  EXPECT_EQ(conformal_table(scores, {0.9}).groups.size(), 9u);
  // Twelve trajectories can make 90 percent and no more: depths stay apart for that.
  std::vector<DepthScore> twelve;
  for (int64_t t = 0; t < 12; ++t) {
    for (int64_t d = 1; d <= 4; ++d) twelve.push_back({t, d, 1.0});
  }
  const ConformalTable small = conformal_table(twelve, {0.9, 0.95});
  EXPECT_EQ(small.groups.size(), 4u);
  EXPECT_TRUE(small.at(2, 0.9).has_value());
  EXPECT_FALSE(small.at(2, 0.95).has_value());
}

// Trajectories that stop at different depths, errors that grow with them and that a trajectory
// shares: a group's band holds at the depths of a new trajectory, on average over those it has.
TEST(Conformal, AGroupHoldsOnAverageOverTheDepthsOfATrajectory) {
  constexpr uint64_t kRuns = 4000;
  double inside = 0, shared = 0;
  for (uint64_t run = 0; run < kRuns; ++run) {
    const RandomStream random(4, "test.groups", run);
    const auto draw = [&](uint64_t t, std::vector<DepthScore>& out) {
      const auto depths = static_cast<int64_t>(1 + random.bits(1000 + t) % 4);
      for (int64_t d = 1; d <= depths; ++d) {
        const double z = random.normal(8 * t) + random.normal(8 * t + static_cast<uint64_t>(d));
        out.push_back({static_cast<int64_t>(t), d, z * static_cast<double>(d)});
      }
    };
    std::vector<DepthScore> scores, fresh;
    for (uint64_t t = 0; t < 19; ++t) draw(t, scores);
    draw(19, fresh);
    const ConformalTable table = conformal_table(scores, {0.95});
    shared += table.groups.size() == 1 ? 1 : 0;  // 19 have depth 1, seldom as many a deeper one
    const double share = 1.0 / static_cast<double>(fresh.size());
    for (const DepthScore& score : fresh) {
      const ConformalGroup* group = table.find(score.depth);
      inside += group != nullptr && std::abs(score.z) <= group->two_sided[0] ? share : 0;
    }
  }
  EXPECT_GT(shared / kRuns, 0.95);
  // A trajectory's share inside has at most the variance of a coin.
  const double bound = 4 * std::sqrt(0.95 * 0.05 / kRuns);
  EXPECT_GT(inside / kRuns, 0.95 - bound);
  EXPECT_LT(inside / kRuns, 0.995);  // and no infinite band
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
        all_two_sided = all_two_sided && std::abs(z) <= table.all->two_sided[level];
        all_upper = all_upper && z <= table.all->upper[level];
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
