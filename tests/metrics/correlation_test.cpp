#include "roundtrip/metrics/correlation.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "metrics/sample.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

std::vector<double> rising_wave() {
  std::vector<double> y = wave(40, 0.6);
  for (size_t i = 0; i < y.size(); ++i) y[i] += 0.2 * static_cast<double>(i);
  return y;
}

// tests/reference/statistics.py, by SciPy
TEST(Correlation, AgreesWithScipy) {
  const auto x = wave(40, 0.1), y = rising_wave();
  EXPECT_NEAR(*pearson(x, y), 0.2684337696089881, 1e-14);
  EXPECT_NEAR(*spearman(x, y), 0.2853658536585366, 1e-14);
  EXPECT_NEAR(*spearman(coarse(x), coarse(y)), 0.288235304308203, 1e-14);
  EXPECT_EQ(correlate(Correlation::pearson, x, y), pearson(x, y));
  EXPECT_EQ(correlate(Correlation::spearman, x, y), spearman(x, y));
}

TEST(Correlation, ClosedForms) {
  // x = 1, 2, 3 and y = 1, 3, 2: covariance 1, variances 2 and 2 (sums).
  EXPECT_DOUBLE_EQ(*pearson(std::vector<double>{1, 2, 3}, std::vector<double>{1, 3, 2}), 0.5);
  EXPECT_DOUBLE_EQ(*pearson(std::vector<double>{1, 2}, std::vector<double>{5, -7}), -1);
  // Ranks see only the order.
  EXPECT_DOUBLE_EQ(*spearman(std::vector<double>{1, 2, 3, 4}, std::vector<double>{1, 8, 9, 1e9}),
                   1);
}

TEST(Correlation, ConstantsAndSinglePairsHaveNone) {
  // 0.1 has no exact mean: rounding must not make a correlation of it.
  const std::vector<double> constant(7, 0.1), varied = wave(7, 0);
  EXPECT_EQ(pearson(constant, varied), std::nullopt);
  EXPECT_EQ(spearman(varied, constant), std::nullopt);
  EXPECT_EQ(pearson(std::vector<double>{1}, std::vector<double>{2}), std::nullopt);
  EXPECT_EQ(spearman({}, {}), std::nullopt);
}

TEST(Correlation, HoldsAtTheEndsOfTheDoubles) {
  for (const double size : {1e-320, 1e-300, 1e300}) {
    const std::vector<double> x = {-size, 0, size}, y = {1, 2, 3};
    EXPECT_NEAR(*pearson(x, y), 1, 1e-12) << size;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(*spearman(std::vector<double>{1, infinity}, std::vector<double>{0, 5}), 1);
  EXPECT_NE(error_of([&] {
              pearson(std::vector<double>{1, infinity}, std::vector<double>{0, 5});
            }).find("expected finite numbers, found inf as value 2 of 2"),
            std::string::npos);
}

TEST(Correlation, DoesNotDependOnOrderScaleOrSide) {
  auto x = wave(40, 0.1), y = rising_wave();
  const double before = *pearson(x, y);
  EXPECT_DOUBLE_EQ(*pearson(y, x), before);
  std::reverse(x.begin(), x.end());
  std::reverse(y.begin(), y.end());
  EXPECT_NEAR(*pearson(x, y), before, 1e-14);
  for (double& value : x) value = 1e6 - 3 * value;
  EXPECT_NEAR(*pearson(x, y), -before, 1e-9);  // the offset costs six digits
}

}  // namespace
}  // namespace roundtrip
