#include "roundtrip/metrics/predictions.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

std::string mistake(double y, double mean, double sigma) {
  return error_of([&] { check({{&y, 1}, {&mean, 1}, {&sigma, 1}}); });
}

TEST(Predictions, NamesWhatIsWrong) {
  EXPECT_EQ(mistake(0, 0, 1), "no error");
  EXPECT_EQ(mistake(0, 0, 0),
            "[stats] sigma: expected finite numbers above 0, found 0 as value 1 of 1");
  EXPECT_NE(mistake(0, 0, -1), "no error");
  EXPECT_NE(mistake(0, 0, std::numeric_limits<double>::infinity()), "no error");
  EXPECT_EQ(mistake(std::numeric_limits<double>::quiet_NaN(), 0, 1),
            "[stats] y: expected finite numbers, found nan as value 1 of 1");
  EXPECT_NE(mistake(0, -std::numeric_limits<double>::infinity(), 1), "no error");
  EXPECT_EQ(error_of([] { check({}); }),
            "[stats] predictions: expected at least one row, found none");
}

TEST(Predictions, ErrorsInUnitsOfTheirDeviation) {
  const std::vector<double> y = {3, 0}, mean = {1, 1}, sigma = {0.5, 4};
  EXPECT_EQ(z_scores({y, mean, sigma}), (std::vector<double>{4, -0.25}));
}

}  // namespace
}  // namespace roundtrip
