#include "roundtrip/metrics/bootstrap.h"

#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// The mean of chosen values.
GroupStatistic mean_of(const std::vector<double>& values) {
  return [&values](std::span<const size_t> chosen) -> std::optional<double> {
    double sum = 0;
    for (const size_t i : chosen) sum += values[i];
    return sum / static_cast<double>(chosen.size());
  };
}

std::vector<double> normal_draws(int64_t count, uint64_t index) {
  std::vector<double> values(static_cast<size_t>(count));
  RandomStream(5, "bootstrap_test", index).fill_normal(values);
  return values;
}

TEST(Bootstrap, IntervalOfAMeanIsTheNormalOne) {
  const std::vector<double> values = normal_draws(400, 0);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 400;
  double square = 0;
  for (const double value : values) square += (value - mean) * (value - mean) / 400;
  const double half_width = 1.959964 * std::sqrt(square / 400);
  const auto interval = bootstrap(400, mean_of(values), {.resamples = 4000});
  // An end is a 2.5 percent quantile of 4000 draws: its own deviation is 0.04 standard errors.
  EXPECT_NEAR(interval->low, mean - half_width, 0.1 * half_width);
  EXPECT_NEAR(interval->high, mean + half_width, 0.1 * half_width);
}

TEST(Bootstrap, CoversTheTruthAsOftenAsItSays) {
  int covered = 0;
  for (uint64_t k = 0; k < 200; ++k) {
    const std::vector<double> values = normal_draws(50, 100 + k);
    const auto interval = bootstrap(50, mean_of(values), {.resamples = 300, .level = 0.9});
    covered += interval->low <= 0 && 0 <= interval->high;
  }
  // 180 expected, deviation 4; percentile intervals of 50 values are a little narrow.
  EXPECT_GE(covered, 165);
  EXPECT_LE(covered, 193);
}

TEST(Bootstrap, SameSeedSameInterval) {
  const std::vector<double> values = normal_draws(30, 1);
  const auto first = bootstrap(30, mean_of(values), {.seed = 4});
  const auto again = bootstrap(30, mean_of(values), {.seed = 4});
  const auto other = bootstrap(30, mean_of(values), {.seed = 5});
  EXPECT_EQ(first->low, again->low);
  EXPECT_EQ(first->high, again->high);
  EXPECT_NE(first->low, other->low);
}

TEST(Bootstrap, DrawsWholeGroupsWithRepetition) {
  std::set<size_t> seen;
  bool repeated = false;
  bootstrap(7, [&](std::span<const size_t> chosen) -> std::optional<double> {
    EXPECT_EQ(chosen.size(), 7u);
    const std::set<size_t> different(chosen.begin(), chosen.end());
    seen.insert(different.begin(), different.end());
    repeated |= different.size() < 7;
    return 0;
  });
  EXPECT_EQ(seen.size(), 7u);
  EXPECT_EQ(*seen.rbegin(), 6u);
  EXPECT_TRUE(repeated);
}

TEST(Bootstrap, SaysWhatIsUndefined) {
  const std::vector<double> one = {3};
  const auto point = bootstrap(1, mean_of(one));
  EXPECT_EQ(point->low, 3);
  EXPECT_EQ(point->high, 3);
  const auto never = [](std::span<const size_t>) -> std::optional<double> { return {}; };
  EXPECT_FALSE(bootstrap(3, never).has_value());
  // Undefined when the first of two groups is not among the drawn: one draw in four.
  const auto sometimes = [](std::span<const size_t> chosen) -> std::optional<double> {
    if (chosen[0] == 1 && chosen[1] == 1) return {};
    return 1;
  };
  EXPECT_NEAR(static_cast<double>(bootstrap(2, sometimes)->undefined), 250, 60);
  EXPECT_NE(error_of([&] { bootstrap(0, never); }).find("found none"), std::string::npos);
  EXPECT_NE(error_of([&] { bootstrap(3, never, {.level = 1}); }).find("level"), std::string::npos);
}

TEST(Bootstrap, SeveralStatisticsShareTheirResamples) {
  const std::vector<double> a = normal_draws(30, 1), b = normal_draws(30, 2);
  const auto both = bootstrap_each(30, [&](std::span<const size_t> chosen) {
    return std::vector{mean_of(a)(chosen), mean_of(b)(chosen)};
  });
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0]->low, bootstrap(30, mean_of(a))->low);
  EXPECT_EQ(both[1]->high, bootstrap(30, mean_of(b))->high);
}

}  // namespace
}  // namespace roundtrip
