#include "roundtrip/io/float16.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The value by the definition of the format: sign, exponent, mantissa.
double value_by_definition(uint16_t bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1);
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  const double fraction = std::ldexp(mantissa, -mantissa_bits);
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  return bits >> 15 != 0 ? -magnitude : magnitude;
}

TEST(Float16, EveryFiniteHalfHasItsDefinedValue) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    if ((half & 0x7c00) == 0x7c00) continue;
    const float value = half_to_float(half);
    ASSERT_EQ(value, value_by_definition(half, 5, 10)) << half;
    ASSERT_EQ(std::signbit(value), half >= 0x8000) << half;
  }
}

TEST(Float16, EveryFiniteBfloat16HasItsDefinedValue) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto bfloat16 = static_cast<uint16_t>(bits);
    if ((bfloat16 & 0x7f80) == 0x7f80) continue;
    const float value = bfloat16_to_float(bfloat16);
    ASSERT_EQ(value, value_by_definition(bfloat16, 8, 7)) << bfloat16;
  }
}

TEST(Float16, InfinityAndNan) {
  EXPECT_EQ(half_to_float(0x7bff), 65504.0F);
  EXPECT_EQ(half_to_float(0x7c00), kInfinity);
  EXPECT_EQ(half_to_float(0xfc00), -kInfinity);
  EXPECT_EQ(bfloat16_to_float(0xff80), -kInfinity);
  for (const uint16_t half : {0x7c01, 0x7e00, 0xffff}) {
    EXPECT_TRUE(std::isnan(half_to_float(half))) << half;
    EXPECT_EQ(std::signbit(half_to_float(half)), half >= 0x8000) << half;
  }
  for (const uint16_t bfloat16 : {0x7f81, 0xffff}) {
    EXPECT_TRUE(std::isnan(bfloat16_to_float(bfloat16))) << bfloat16;
  }
}

}  // namespace
}  // namespace roundtrip
