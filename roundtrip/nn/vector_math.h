#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include <torch/types.h>

namespace roundtrip {

/// exp(x) within two units in the last place, without branches or calls, so that a loop over it
/// becomes vector code. Below -87.6 it is 0, above 88.4 infinity; NaN stays NaN.
inline float vector_exp(float x) {
  x = x < -88.0f ? -88.0f : x;
  x = x > 88.8f ? 88.8f : x;
  // x = n ln 2 + r with |r| <= ln 2 / 2. Adding 1.5 * 2^23 rounds to a whole number, which then
  // stands in the low bits.
  constexpr float kRound = 12582912.0f;
  const float shifted = x * 1.44269504088896341f + kRound;
  const float n = shifted - kRound;
  const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;  // ln 2 in two parts
  // Taylor's series to r^7: its next term is below 6e-9.
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  // 2^n, by the exponent's bits; n = -127 gives 0 and n = 128 infinity.
  const uint32_t power = (std::bit_cast<uint32_t>(shifted) + 127u) << 23;
  return p * std::bit_cast<float>(power);
}

inline double vector_exp(double x) { return std::exp(x); }

/// True when our own loops may read and write these tensors: numbers in this machine's memory, of a
/// type we compile for.
inline bool has_vector_loops(const torch::Tensor& x) {
  return x.device().is_cpu() &&
         (x.scalar_type() == torch::kFloat32 || x.scalar_type() == torch::kFloat64);
}

/// Rows of `width` numbers that are worth a thread of their own.
inline int64_t rows_per_thread(int64_t width) { return 1 + 16384 / (width + 1); }

}  // namespace roundtrip
