// Conversions on the bit patterns, so that they give the same bits on every processor.
#include "roundtrip/formats/float16.h"

#include <bit>

namespace roundtrip {
namespace {

constexpr uint32_t kFloatInfinity = 0x7f800000;
constexpr uint16_t kHalfInfinity = 0x7c00;
constexpr uint16_t kHalfQuietBit = 0x0200;
constexpr uint32_t kBfloat16QuietBit = 0x0040;
constexpr uint32_t kSmallestNormalHalf = 0x38800000;  // 2^-14 as a float
constexpr uint32_t kHalfOverflow = 0x477ff000;        // 65520, halfway past the largest half
constexpr uint32_t kExponentShift = 127 - 15;         // between the two exponents' biases

}  // namespace

float half_to_float(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t magnitude = half & 0x7fff;
  if (magnitude >= kHalfInfinity) {
    return std::bit_cast<float>(sign | kFloatInfinity | (magnitude & 0x03ff) << 13);
  }
  if (magnitude < 0x0400) {  // subnormal: a multiple of 2^-24
    const float value = static_cast<float>(magnitude) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(value));
  }
  return std::bit_cast<float>(sign | ((magnitude << 13) + (kExponentShift << 23)));
}

uint16_t float_to_half(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > kFloatInfinity) {
    const auto payload = static_cast<uint16_t>(magnitude >> 13 & 0x03ff);
    return sign | kHalfInfinity | kHalfQuietBit | payload;
  }
  if (magnitude >= kHalfOverflow) return sign | kHalfInfinity;
  if (magnitude < kSmallestNormalHalf) {
    // Floats in [0.5, 1) are spaced by 2^-24 like subnormal halves: adding 0.5 rounds for us.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
    return sign |
           static_cast<uint16_t>(std::bit_cast<uint32_t>(shifted) - std::bit_cast<uint32_t>(0.5F));
  }
  magnitude += 0x0fff + (magnitude >> 13 & 1);  // to nearest, ties to even
  return sign | static_cast<uint16_t>((magnitude - (kExponentShift << 23)) >> 13);
}

float bfloat16_to_float(uint16_t bfloat16) {
  return std::bit_cast<float>(static_cast<uint32_t>(bfloat16) << 16);
}

uint16_t float_to_bfloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > kFloatInfinity) {
    // Rounding could carry a NaN into infinity, and truncation could clear its last payload bit.
    return static_cast<uint16_t>(bits >> 16 | kBfloat16QuietBit);
  }
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace roundtrip
