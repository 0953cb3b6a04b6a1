#pragma once

#include <cstdint>

namespace roundtrip {

/// The value of an IEEE half (F16, 5 exponent and 10 mantissa bits), exactly.
float half_to_float(uint16_t half);
/// The nearest half, ties to even; values beyond the largest half become infinite, NaN stays NaN.
uint16_t float_to_half(float value);

/// The value of a bfloat16 (BF16, the upper half of a float32), exactly.
float bfloat16_to_float(uint16_t bfloat16);
/// The nearest bfloat16, ties to even; NaN stays NaN.
uint16_t float_to_bfloat16(float value);

}  // namespace roundtrip
