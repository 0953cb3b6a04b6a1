#include "roundtrip/calibration/polynomial_range.h"

#include <algorithm>
#include <vector>

// A polynomial is monotone between the roots of its derivative: on each such stretch it has at most
// one root, which bisection finds, and its least value is at an end. Roots of the derivative are
// found the same way, down to the constant.

namespace roundtrip {
namespace {

double polynomial_at(std::span<const double> coefficients, double z) {
  double value = 0;
  for (size_t k = coefficients.size(); k-- > 0;) value = value * z + coefficients[k];
  return value;
}

std::vector<double> derivative(std::span<const double> coefficients) {
  std::vector<double> out;
  for (size_t k = 1; k < coefficients.size(); ++k) {
    out.push_back(static_cast<double>(k) * coefficients[k]);
  }
  return out;
}

// Where a monotone stretch changes sign, to the last bit.
double bisect(std::span<const double> coefficients, double low, double high) {
  const bool rises = polynomial_at(coefficients, high) > 0;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    ((polynomial_at(coefficients, middle) > 0) == rises ? high : low) = middle;
  }
}

// The ends of [low, high] and, between them, the places where the derivative changes sign.
std::vector<double> monotone_stretches(std::span<const double> coefficients, double low,
                                       double high) {
  std::vector<double> ends = {low};
  if (coefficients.size() > 2) {
    const std::vector<double> slope = derivative(coefficients);
    const std::vector<double> parts = monotone_stretches(slope, low, high);
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      const bool before = polynomial_at(slope, parts[i]) > 0;
      const bool after = polynomial_at(slope, parts[i + 1]) > 0;
      if (before != after) ends.push_back(bisect(slope, parts[i], parts[i + 1]));
    }
  }
  ends.push_back(high);
  return ends;
}

}  // namespace

double least_value(std::span<const double> coefficients, double low, double high) {
  double least = polynomial_at(coefficients, low);
  for (const double z : monotone_stretches(coefficients, low, high)) {
    least = std::min(least, polynomial_at(coefficients, z));
  }
  return least;
}

}  // namespace roundtrip
