// The quantile by Newton's method on functions that are concave, which makes it converge from one
// side whatever the level; no fitted coefficients, as accurate as erf and erfc are.
#include "roundtrip/metrics/normal.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr double kSqrt2 = std::numbers::sqrt2;
constexpr double kInverseSqrt2Pi = std::numbers::inv_sqrtpi / kSqrt2;
constexpr int kMostSteps = 60;  // about ten are taken

// erf(z / sqrt 2) = `central` for central in [0, 0.5]: erf is concave there, so that from z = 0 the
// steps only grow towards the root.
double central_root(double central) {
  double z = 0;
  for (int k = 0; k < kMostSteps; ++k) {
    const double step = (central - std::erf(z / kSqrt2)) / (2 * normal_density(z));
    z += step;
    if (std::abs(step) <= 1e-16 * z) break;
  }
  return z;
}

// The z > 0 with `tail` above it, tail < 1/4. The logarithm of the tail is concave and falls, so
// that from the right of the root every step stays there; exp(-z^2/2)/2 bounds the tail.
double tail_root(double tail) {
  double z = std::sqrt(-2 * std::log(2 * tail));
  for (int k = 0; k < kMostSteps; ++k) {
    const double above = normal_cumulative(-z);
    const double step = std::log(above / tail) * above / normal_density(z);
    z += step;
    if (std::abs(step) <= 1e-16 * z) break;
  }
  return z;
}

}  // namespace

double normal_density(double z) { return kInverseSqrt2Pi * std::exp(-0.5 * z * z); }

double normal_cumulative(double z) { return 0.5 * std::erfc(-z / kSqrt2); }

double normal_quantile(double probability) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (probability == 0) return -kInfinity;
  if (probability == 1) return kInfinity;
  if (!(probability >= 1e-300 && probability < 1)) {
    throw Error("stats", fmt::format("normal quantile: expected a probability from 0 to 1 (1e-300 "
                                     "is the least above 0), found {}",
                                     probability));
  }
  if (probability < 0.25) return -tail_root(probability);
  if (probability > 0.75) return tail_root(1 - probability);
  const double central = 2 * probability - 1;
  return central < 0 ? -central_root(-central) : central_root(central);
}

}  // namespace roundtrip
