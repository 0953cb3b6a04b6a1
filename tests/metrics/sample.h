#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "roundtrip/metrics/predictions.h"

namespace roundtrip {

// Inputs by formulas of the row number, the same as in tests/reference/statistics.py, which printed
// the golden numbers of these tests.

/// sin(phase + step i) + 0.3 sin(3.1 step i)
inline std::vector<double> wave(int64_t count, double phase, double step = 0.7) {
  std::vector<double> values;
  for (int64_t k = 0; k < count; ++k) {
    const auto i = static_cast<double>(k);
    values.push_back(std::sin(phase + step * i) + 0.3 * std::sin(3.1 * step * i));
  }
  return values;
}

/// Rounded down to multiples of 1/4: many ties.
inline std::vector<double> coarse(std::vector<double> values) {
  for (double& value : values) value = std::floor(4 * value) / 4;
  return values;
}

inline std::vector<double> exponentials(std::vector<double> values) {
  for (double& value : values) value = std::exp(value);
  return values;
}

/// Predictions of a wave, over-confident in places.
struct SamplePredictions {
  std::vector<double> y, mean, sigma;

  explicit SamplePredictions(int64_t count, double phase = 0.2) : mean(wave(count, 0.9 + phase)) {
    const std::vector<double> noise = wave(count, phase, 1.3);
    for (size_t i = 0; i < mean.size(); ++i) {
      const double cosine = std::cos(0.37 * static_cast<double>(i) + phase);
      sigma.push_back(0.2 + 0.15 * cosine * cosine);
      y.push_back(mean[i] + 0.4 * noise[i] * noise[i] * noise[i]);
    }
  }
  operator Predictions() const { return {y, mean, sigma}; }
};

}  // namespace roundtrip
