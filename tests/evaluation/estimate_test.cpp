#include "roundtrip/evaluation/estimate.h"

#include <limits>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

const std::vector<double> kReadings = {1, 2, 3, 10};

std::optional<double> mean_of_chosen(std::span<const size_t> chosen) {
  double sum = 0;
  for (const size_t i : chosen) sum += kReadings[i];
  return sum / static_cast<double>(chosen.size());
}

TEST(Estimate, IsTheStatisticOfAllWithAnIntervalAroundIt) {
  const Estimate found = estimate(kReadings.size(), mean_of_chosen);
  EXPECT_EQ(found.value, 4);
  EXPECT_LT(found.interval->low, 4);
  EXPECT_GT(found.interval->high, 4);
  EXPECT_GE(found.interval->low, 1);
}

TEST(Estimate, OfAConstantIsAPoint) {
  const Estimate found = estimate(3, [](std::span<const size_t>) { return std::optional(0.5); });
  EXPECT_EQ(found.interval->low, 0.5);
  EXPECT_EQ(found.interval->high, 0.5);
}

TEST(Estimate, ResamplesWithoutAFiniteValueAreLeftOut) {
  const auto found = estimate_each(4, [](std::span<const size_t> chosen) {
    const bool first = chosen[0] == 0;
    return std::vector<std::optional<double>>{std::nullopt,
                                              first ? 1 : std::numeric_limits<double>::infinity()};
  });
  EXPECT_FALSE(found[0].value || found[0].interval);
  EXPECT_EQ(found[1].interval->high, 1);
  EXPECT_GT(found[1].interval->undefined, 200);  // three in four of 400
}

TEST(Estimate, TwoTablesAreResampledTogether) {
  const std::vector<size_t> chosen = {0, 4, 2, 3, 3};
  const auto [first, second] = divide_choice(chosen, 3);
  EXPECT_EQ(first, (std::vector<size_t>{0, 2}));
  EXPECT_EQ(second, (std::vector<size_t>{1, 0, 0}));
}

}  // namespace
}  // namespace roundtrip
