#include "roundtrip/metrics/quantile.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "metrics/sample.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// tests/reference/statistics.py, by numpy.quantile
TEST(Quantile, AgreesWithNumpy) {
  const std::vector<double> values = wave(40, 0.1);
  EXPECT_NEAR(quantile(values, 0), -1.243064141832373, 1e-14);
  EXPECT_NEAR(quantile(values, 0.05), -1.011062943838351, 1e-14);
  EXPECT_NEAR(quantile(values, 0.5), 0.2654672980430215, 1e-14);
  EXPECT_NEAR(quantile(values, 0.68), 0.560244109401925, 1e-14);
  EXPECT_NEAR(quantile(values, 0.95), 1.037501448720907, 1e-14);
  EXPECT_NEAR(quantile(values, 1), 1.210676857556531, 1e-14);
}

TEST(Quantile, InterpolatesBetweenNeighbours) {
  const std::vector<double> values = {30, 10, 20};
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 15);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 20);
  EXPECT_EQ(quantiles(values, {{1.0, 0.0, 0.75}}), (std::vector<double>{30, 10, 25}));
  EXPECT_EQ(quantile(std::vector<double>{4}, 0.3), 4);
  EXPECT_EQ(quantile(std::vector<double>(9, 0.1), 0.37), 0.1);
}

TEST(Quantile, DoesNotDependOnOrder) {
  std::vector<double> values = wave(101, 0.3);
  const double before = quantile(values, 0.9);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(quantile(values, 0.9), before);
}

TEST(Quantile, RefusesWhatHasNone) {
  EXPECT_NE(error_of([] { quantile({}, 0.5); }).find("found none"), std::string::npos);
  EXPECT_NE(error_of([] { quantile(std::vector<double>{1}, 1.5); }).find("found 1.5"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              quantile(std::vector<double>{1, NAN}, 0.5);
            }).find("nan"),
            std::string::npos);
}

}  // namespace
}  // namespace roundtrip
