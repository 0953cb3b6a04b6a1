// Conversions on the bit patterns, so that they give the same bits on every processor.
#include "roundtrip/io/float16.h"

#include <bit>

namespace roundtrip {
namespace {

constexpr uint32_t kFloatInfinity = 0x7f800000;
constexpr uint16_t kHalfInfinity = 0x7c00;
constexpr uint32_t kExponentShift = 127 - 15;  // between the two exponents' biases

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

float bfloat16_to_float(uint16_t bfloat16) {
  return std::bit_cast<float>(static_cast<uint32_t>(bfloat16) << 16);
}

}  // namespace roundtrip
