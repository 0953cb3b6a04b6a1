#include "roundtrip/metrics/moments.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"

namespace roundtrip {
namespace {

TEST(Moments, OfFewNumbersAreExact) {
  Moments moments;
  moments.add(std::vector<float>{1, 2, 3, 6});
  EXPECT_EQ(moments.count(), 4);
  EXPECT_EQ(moments.mean(), 3.0);
  EXPECT_EQ(moments.variance(), 3.5);  // (4 + 1 + 0 + 9) / 4
  EXPECT_EQ(moments.rms(), std::sqrt(12.5));
}

TEST(Moments, OfNothingAreZero) {
  Moments moments;
  moments.add(std::vector<double>{});
  moments.merge(Moments());
  EXPECT_EQ(moments.count(), 0);
  EXPECT_EQ(moments.mean(), 0.0);
  EXPECT_EQ(moments.variance(), 0.0);
  EXPECT_EQ(moments.rms(), 0.0);
}

// 0 and 1 in turn, on a mean a naive sum of squares would lose them under: 1e9^2 has steps of 128.
TEST(Moments, SmallVarianceOnALargeMeanSurvives) {
  std::vector<double> values(100001);
  for (size_t i = 0; i < values.size(); ++i) values[i] = 1e9 + static_cast<double>(i % 2);
  Moments moments;
  moments.add(values);
  const double ones = 50000.0 / 100001.0;
  EXPECT_NEAR(moments.variance(), ones * (1 - ones), 1e-9);
  EXPECT_NEAR(moments.mean() - 1e9, ones, 2e-7);  // doubles near 1e9 are 1.2e-7 apart
}

TEST(Moments, PartsMergeToTheWhole) {
  const RandomStream random(3, "moments");
  std::vector<float> values(30011);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(10 + 3 * random.normal(i));
  }
  Moments whole;
  whole.add(values);
  Moments merged;
  for (size_t at = 0; at < values.size();) {
    const size_t length = std::min<size_t>(1 + at % 977, values.size() - at);
    Moments part;
    part.add(std::span(values).subspan(at, length));
    merged.merge(part);
    at += length;
  }
  double mean = 0, square = 0;
  for (const float value : values) mean += double{value} / 30011;
  for (const float value : values) square += (value - mean) * (value - mean) / 30011;
  // Round-off of about 3e4 additions in double precision, relative.
  EXPECT_NEAR(whole.mean(), mean, 1e-12 * 10);
  EXPECT_NEAR(whole.variance(), square, 1e-12 * 9);
  EXPECT_NEAR(merged.mean(), mean, 1e-12 * 10);
  EXPECT_NEAR(merged.variance(), square, 1e-12 * 9);
  EXPECT_EQ(merged.count(), 30011);
}

TEST(Moments, NotANumberShows) {
  Moments moments;
  moments.add(std::vector<float>{1, NAN, 2});
  EXPECT_TRUE(std::isnan(moments.mean()));
  EXPECT_TRUE(std::isnan(moments.rms()));
}

}  // namespace
}  // namespace roundtrip
