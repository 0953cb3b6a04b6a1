#include "roundtrip/metrics/count_tails.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"

namespace roundtrip {
namespace {

TEST(CountTails, AreSumsOfBinomialProbabilities) {
  // Four fair coins: 1, 4, 6, 4, 1 of 16.
  const CountTails one = binomial_tails(1, 4, 0.5);
  EXPECT_NEAR(one.at_most, 5.0 / 16, 1e-14);
  EXPECT_NEAR(one.at_least, 15.0 / 16, 1e-14);
  EXPECT_NEAR(binomial_tails(20, 20, 0.95).at_least, std::pow(0.95, 20), 1e-14);
  EXPECT_EQ(binomial_tails(0, 0, 0.3).at_most, 1);
  EXPECT_EQ(binomial_tails(3, 5, 1).at_most, 0);
  EXPECT_EQ(binomial_tails(5, 5, 1).at_most, 1);
}

TEST(CountTails, ABetaThatKnowsNothingMakesAllCountsAlike) {
  for (int64_t k = 0; k <= 9; ++k) {
    const CountTails found = beta_binomial_tails(k, 9, 1, 1);
    EXPECT_NEAR(found.at_most, static_cast<double>(k + 1) / 10, 1e-13);
    EXPECT_NEAR(found.at_least, static_cast<double>(10 - k) / 10, 1e-13);
  }
}

TEST(CountTails, ABetaThatKnowsAllIsTheBinomial) {
  const CountTails sharp = beta_binomial_tails(90, 100, 0.95e9, 0.05e9);
  const CountTails exact = binomial_tails(90, 100, 0.95);
  // Differences of logarithms of gammas of 1e9, some 2e10, carry 4e-6 of rounding each.
  EXPECT_NEAR(sharp.at_most / exact.at_most, 1, 1e-3);
}

// The quantile of rank 39 of 40 scores holds a share Beta(39, 2) of what comes; of ten fresh ones
// all are inside in so many of all runs.
TEST(CountTails, AreWhatAConformalQuantileShows) {
  constexpr int kRuns = 20000;
  double all = 0;
  for (uint64_t run = 0; run < kRuns; ++run) {
    const RandomStream random(3, "test.tails", run);
    std::vector<double> scores;
    for (uint64_t i = 0; i < 40; ++i) scores.push_back(random.uniform(i, 0, 1));
    std::nth_element(scores.begin(), scores.begin() + 38, scores.end());
    bool inside = true;
    for (uint64_t i = 0; i < 10; ++i) inside = inside && random.uniform(100 + i, 0, 1) <= scores[38];
    all += inside ? 1.0 / kRuns : 0;
  }
  const double exact = beta_binomial_tails(10, 10, 39, 2).at_least;
  EXPECT_NEAR(all, exact, 4 * std::sqrt(exact * (1 - exact) / kRuns));
}

}  // namespace
}  // namespace roundtrip
