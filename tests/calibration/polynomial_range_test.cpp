#include "roundtrip/calibration/polynomial_range.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"

namespace roundtrip {
namespace {

TEST(PolynomialRange, FindsMinimaThatAreKnown) {
  EXPECT_EQ(least_value({}, -1, 1), 0);
  EXPECT_EQ(least_value(std::vector{3.0}, -1, 1), 3);
  EXPECT_EQ(least_value(std::vector{1.0, 2.0}, -1, 1), -1);
  EXPECT_EQ(least_value(std::vector{1.0, -2.0}, -1, 1), -1);
  EXPECT_DOUBLE_EQ(least_value(std::vector{0.0, 0.0, 1.0}, -1, 2), 0);     // inside
  EXPECT_DOUBLE_EQ(least_value(std::vector{0.0, 0.0, 1.0}, 0.5, 2), 0.25);  // at an end
  // T_4 = 8 z^4 - 8 z^2 + 1 is -1 at +-1 / sqrt 2 and at most 1 between; beyond 1 it rises.
  EXPECT_DOUBLE_EQ(least_value(std::vector{1.0, 0.0, -8.0, 0.0, 8.0}, -1, 1), -1);
  EXPECT_DOUBLE_EQ(least_value(std::vector{1.0, 0.0, -8.0, 0.0, 8.0}, 1, 2), 1);
  // z^3 has a flat place that is no turn.
  EXPECT_DOUBLE_EQ(least_value(std::vector{0.0, 0.0, 0.0, 1.0}, -2, 1), -8);
  EXPECT_EQ(least_value(std::vector{1.0, 5.0, 7.0}, 0.5, 0.5), 1 + 2.5 + 1.75);  // one point
}

TEST(PolynomialRange, IsBelowEveryPointAndTouchesOne) {
  const RandomStream random(1, "test.polynomials");
  for (uint64_t i = 0; i < 300; ++i) {
    std::vector<double> c;
    for (uint64_t k = 0; k <= 1 + i % 5; ++k) c.push_back(random.normal(10 * i + k));
    const double low = random.uniform(10 * i + 8, -3, 0), high = random.uniform(10 * i + 9, 0, 3);
    const double found = least_value(c, low, high);
    constexpr int kPoints = 20000;
    double least = 1e300;
    for (int j = 0; j <= kPoints; ++j) {
      const double z = low + (high - low) * j / kPoints;
      double value = 0;
      for (size_t k = c.size(); k-- > 0;) value = value * z + c[k];
      least = std::min(least, value);
    }
    EXPECT_LE(found, least + 1e-12);
    // Half a spacing from a minimum a polynomial is higher by its second derivative times the
    // square of that over 2: below 2e4 * (1.5e-4)^2 / 2.
    EXPECT_GT(found, least - 3e-4);
  }
}

}  // namespace
}  // namespace roundtrip
