#include "roundtrip/report/field_bytes.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(FieldBytes, ValuesComeBackWithinHalfAStep) {
  std::vector<float> values(12 * 5);
  for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i * i));
  const FieldBytes field = to_field_bytes(values, 12, 5);
  EXPECT_EQ(field.nx, 12);
  EXPECT_EQ(field.ny, 5);
  const double half_step = (field.high - field.low) / 254 / 2;
  for (int64_t x = 0; x < 12; ++x) {
    for (int64_t y = 0; y < 5; ++y) {
      EXPECT_NEAR(field.at(x, y), values[static_cast<size_t>(x * 5 + y)], half_step * 1.0001);
    }
  }
}

TEST(FieldBytes, MissingAndConstantCells) {
  const FieldBytes mixed = to_field_bytes(std::vector<float>{kNan, 2, 2, INFINITY}, 2, 2);
  EXPECT_EQ(mixed.bytes, (std::vector<uint8_t>{255, 0, 0, 255}));
  EXPECT_EQ(mixed.at(0, 1), 2);
  EXPECT_TRUE(std::isnan(mixed.at(0, 0)));
  const FieldBytes nothing = to_field_bytes(std::vector<float>{kNan}, 1, 1);
  EXPECT_EQ(nothing.bytes, (std::vector<uint8_t>{255}));
  EXPECT_EQ(nothing.low, 0);
}

// 5 x 4 by blocks of 2: the last column of blocks is one cell wide; NaN leaves its block's mean.
TEST(FieldBytes, LargeFieldsAreMeansOfBlocks) {
  std::vector<float> values(5 * 4);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  values[0] = kNan;
  const FieldBytes field = to_field_bytes(values, 5, 4, /*longest=*/3);
  EXPECT_EQ(field.nx, 3);
  EXPECT_EQ(field.ny, 2);
  EXPECT_DOUBLE_EQ(field.at(0, 0), (1 + 4 + 5) / 3.0);
  EXPECT_DOUBLE_EQ(field.at(2, 1), (18 + 19) / 2.0);
}

TEST(FieldBytes, WrongSizesAreOurBug) {
  EXPECT_THROW(to_field_bytes(std::vector<float>(5), 2, 2), Bug);
  EXPECT_THROW(to_field_bytes(std::vector<float>(), 0, 2), Bug);
}

}  // namespace
}  // namespace roundtrip
