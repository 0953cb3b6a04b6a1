#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "roundtrip/base/random.h"
#include "roundtrip/systems/gaussian_random_field.h"

namespace roundtrip {

inline constexpr double kTwoPi = 2 * std::numbers::pi;
inline constexpr Complex kI(0, 1);

inline double largest_difference(const Spectrum& a, const Spectrum& b) {
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (!(difference <= worst)) worst = difference;  // also takes a NaN
  }
  return worst;
}

/// A start of the kind the data have, the same every time.
inline Spectrum random_vorticity(int64_t n, double scale = 1) {
  GaussianRandomField field;
  field.variance_scale = scale * scale * kOriginalVarianceScale;
  return field.sample(RandomStream(11, "test"), n);
}

}  // namespace roundtrip
