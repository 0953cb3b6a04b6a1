#include "roundtrip/metrics/value_summary.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

TEST(ValueSummary, CountsWhatIsNotFiniteAndSummarisesTheRest) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float inf = std::numeric_limits<float>::infinity();
  ValueSummary summary;
  summary.add(std::vector<float>{nan, 3, -inf});
  summary.add(std::vector<float>{1, 5});
  summary.add(std::vector<float>{inf});
  EXPECT_EQ(summary.count(), 6);
  EXPECT_EQ(summary.not_finite(), 3);
  EXPECT_EQ(summary.low(), 1);
  EXPECT_EQ(summary.high(), 5);
  EXPECT_DOUBLE_EQ(summary.mean(), 3);
  EXPECT_DOUBLE_EQ(summary.std_deviation(), std::sqrt(8.0 / 3));
}

TEST(ValueSummary, DoublesAreNotRounded) {
  ValueSummary summary;
  summary.add(std::vector<double>{1e300, -1e300, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(summary.not_finite(), 1);
  EXPECT_EQ(summary.high(), 1e300);
  EXPECT_EQ(summary.low(), -1e300);
}

TEST(ValueSummary, NothingFiniteIsNotANumber) {
  ValueSummary summary;
  EXPECT_TRUE(std::isnan(summary.low()));
  summary.add(std::vector<float>{std::numeric_limits<float>::quiet_NaN()});
  EXPECT_TRUE(std::isnan(summary.high()));
  EXPECT_TRUE(std::isnan(summary.mean()));
}

}  // namespace
}  // namespace roundtrip
