#include "roundtrip/train/learning_rate.h"

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

TEST(LearningRate, RisesThenFallsAlongACosine) {
  const LearningRate rate{.peak = 2, .warmup = 10, .decay = "cosine", .final = 0.1};
  EXPECT_DOUBLE_EQ(rate.at(0, 110), 0.2);
  EXPECT_DOUBLE_EQ(rate.at(9, 110), 2.0);
  EXPECT_DOUBLE_EQ(rate.at(10, 110), 2.0);
  EXPECT_NEAR(rate.at(60, 110), 1.1, 1e-15);  // halfway: the mean of peak and end
  EXPECT_NEAR(rate.at(110, 110), 0.2, 1e-15);
}

TEST(LearningRate, ConstantStaysAtThePeak) {
  const LearningRate rate{.peak = 2, .warmup = 0, .decay = "constant"};
  EXPECT_EQ(rate.at(0, 10), 2);
  EXPECT_EQ(rate.at(9, 10), 2);
}

}  // namespace
}  // namespace roundtrip
