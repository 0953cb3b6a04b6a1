#pragma once

#include <cstdint>

namespace roundtrip {

/// The value of an IEEE half (F16, 5 exponent and 10 mantissa bits), exactly.
float half_to_float(uint16_t half);

/// The value of a bfloat16 (BF16, the upper half of a float32), exactly.
float bfloat16_to_float(uint16_t bfloat16);

}  // namespace roundtrip
