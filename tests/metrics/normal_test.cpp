#include "roundtrip/metrics/normal.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// tests/reference/statistics.py, by scipy.stats.norm.ppf
TEST(Normal, QuantilesAgreeWithScipy) {
  const double golden[][2] = {{1e-300, -37.0470962993612},   {1e-20, -9.262340089798409},
                              {1e-5, -4.264890793922825},    {0.2, -0.8416212335729142},
                              {0.3, -0.5244005127080409},    {0.5 + 0.5 / 99, 0.01266007694031415},
                              {0.75, 0.6744897501960817},    {0.975, 1.959963984540054},
                              {1 - 1e-10, 6.361340889697422}};
  for (const auto& [probability, z] : golden) {
    EXPECT_NEAR(normal_quantile(probability) / z, 1, 1e-14) << probability;
  }
}

TEST(Normal, QuantileUndoesCumulative) {
  for (double z = -37; z < 8; z += 0.0625) {
    // Near probability 1 the doubles themselves are coarse: 1e-16 over the density.
    EXPECT_NEAR(normal_quantile(normal_cumulative(z)), z,
                4e-15 * std::max(1.0, std::abs(z)) + (z > 0 ? 2e-16 / normal_density(z) : 0.0));
  }
}

TEST(Normal, EndsAreInfinite) {
  EXPECT_EQ(normal_quantile(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal_quantile(1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal_quantile(0.5), 0);
  for (const double wrong : {-0.1, 1.1, 1e-310, std::nan("")}) {
    EXPECT_NE(error_of([&] { normal_quantile(wrong); }), "no error") << wrong;
  }
}

}  // namespace
}  // namespace roundtrip
