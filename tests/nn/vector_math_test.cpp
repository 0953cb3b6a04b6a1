#include "roundtrip/nn/vector_math.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

TEST(VectorExp, IsWithinTwoUnitsInTheLastPlace) {
  double worst = 0;
  for (double x = -87; x < 88; x += 0.000731) {
    const double exact = std::exp(static_cast<double>(static_cast<float>(x)));
    worst = std::max(worst, std::abs(vector_exp(static_cast<float>(x)) / exact - 1));
  }
  EXPECT_LT(worst, 2 * std::numeric_limits<float>::epsilon());
}

TEST(VectorExp, Extremes) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(vector_exp(0.0f), 1);
  EXPECT_EQ(vector_exp(-100.0f), 0);
  EXPECT_EQ(vector_exp(-inf), 0);
  EXPECT_EQ(vector_exp(100.0f), inf);
  EXPECT_EQ(vector_exp(inf), inf);
  EXPECT_TRUE(std::isnan(vector_exp(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
}  // namespace roundtrip
