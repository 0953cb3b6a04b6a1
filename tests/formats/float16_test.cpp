#include "roundtrip/formats/float16.h"

#include <bit>
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

TEST(Float16, EveryFiniteHalfHasItsDefinedValueAndComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    if ((half & 0x7c00) == 0x7c00) continue;
    const float value = half_to_float(half);
    ASSERT_EQ(value, value_by_definition(half, 5, 10)) << half;
    ASSERT_EQ(std::signbit(value), half >= 0x8000) << half;
    ASSERT_EQ(float_to_half(value), half);
  }
}

TEST(Float16, EveryFiniteBfloat16HasItsDefinedValueAndComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto bfloat16 = static_cast<uint16_t>(bits);
    if ((bfloat16 & 0x7f80) == 0x7f80) continue;
    const float value = bfloat16_to_float(bfloat16);
    ASSERT_EQ(value, value_by_definition(bfloat16, 8, 7)) << bfloat16;
    ASSERT_EQ(float_to_bfloat16(value), bfloat16);
  }
}

// Between neighbours: the midpoint goes to the even one, a float on either side to the nearer.
TEST(Float16, RoundsToNearestTiesToEven) {
  for (uint16_t low = 0; low < 0x7bff; ++low) {
    const auto high = static_cast<uint16_t>(low + 1);
    const float middle = 0.5F * (half_to_float(low) + half_to_float(high));  // exact
    const uint16_t even = low % 2 == 0 ? low : high;
    ASSERT_EQ(float_to_half(middle), even) << low;
    ASSERT_EQ(float_to_half(-middle), even | 0x8000) << low;
    ASSERT_EQ(float_to_half(std::nextafter(middle, -kInfinity)), low);
    ASSERT_EQ(float_to_half(std::nextafter(middle, kInfinity)), high);
  }
  for (uint16_t low = 0; low < 0x7f7f; ++low) {
    const uint32_t middle = static_cast<uint32_t>(low) << 16 | 0x8000;
    const auto high = static_cast<uint16_t>(low + 1);
    ASSERT_EQ(float_to_bfloat16(std::bit_cast<float>(middle)), low % 2 == 0 ? low : high);
    ASSERT_EQ(float_to_bfloat16(std::bit_cast<float>(middle - 1)), low);
    ASSERT_EQ(float_to_bfloat16(std::bit_cast<float>(middle + 1)), high);
  }
}

TEST(Float16, OverflowInfinityAndNan) {
  EXPECT_EQ(half_to_float(0x7bff), 65504.0F);
  EXPECT_EQ(float_to_half(65519.996F), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0F), 0x7c00);
  EXPECT_EQ(float_to_half(-kInfinity), 0xfc00);
  EXPECT_EQ(float_to_bfloat16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(half_to_float(0x7c00), kInfinity);
  EXPECT_EQ(bfloat16_to_float(0xff80), -kInfinity);
  // A signalling NaN whose payload lies in the dropped bits must not become infinite.
  for (const uint32_t bits : {0x7f800001U, 0x7fc00000U, 0x7fffffffU, 0xff800001U, 0xffffffffU}) {
    const float nan = std::bit_cast<float>(bits);
    EXPECT_TRUE(std::isnan(half_to_float(float_to_half(nan)))) << bits;
    EXPECT_TRUE(std::isnan(bfloat16_to_float(float_to_bfloat16(nan)))) << bits;
    EXPECT_EQ(float_to_half(nan) >> 15, bits >> 31);
    EXPECT_EQ(float_to_bfloat16(nan) >> 15, bits >> 31);
  }
  for (const uint16_t half : {0x7c01, 0x7e00, 0xffff}) {
    EXPECT_TRUE(std::isnan(half_to_float(half))) << half;
  }
}

}  // namespace
}  // namespace roundtrip
