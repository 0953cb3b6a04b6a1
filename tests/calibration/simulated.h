#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

#include <fmt/format.h>

#include "roundtrip/base/random.h"
#include "roundtrip/calibration/curves.h"
#include "roundtrip/calibration/polynomial_gaussian.h"

namespace roundtrip {

/// One input, uniform in [-3, 3], and y drawn from a known Gaussian; ten rows a trajectory.
struct KnownLaw {
  std::function<double(double)> mean;
  std::function<double(double)> sigma;
};

inline Samples draw_samples(const KnownLaw& law, size_t n, uint64_t seed) {
  const RandomStream x(seed, "test.x"), noise(seed, "test.noise");
  Samples samples;
  samples.inputs = 1;
  for (size_t i = 0; i < n; ++i) {
    samples.x.push_back(x.uniform(i, -3, 3));
    samples.y.push_back(law.mean(samples.x[i]) + law.sigma(samples.x[i]) * noise.normal(i));
    samples.trajectory.push_back(static_cast<int64_t>(i / 10));
  }
  return samples;
}

inline KnownLaw heteroscedastic_law() {
  return {.mean = [](double x) { return 0.5 + 0.8 * x + 0.05 * x * x * x; },
          .sigma = [](double x) { return std::exp(-1.2 + 0.35 * x - 0.05 * x * x); }};
}

/// Rollouts whose log C grows with depth at a level of its own for every trajectory, and whose
/// log E is mean(log C) + sigma(log C) times a residual of variance 1, a share of which is the same
/// at all depths of a trajectory. Mean and log sigma are polynomials of degrees 4 and 2 in log C;
/// the mean rises over all of its range.
struct RolloutLaw {
  double bend = 0.5;    // below 1; the slope of the mean varies by this factor, as a cubic
  double hump = 2;      // how much log sigma is above its ends in the middle, times 4
  double shared = 0.5;  // share of a residual's variance that is the trajectory's

  /// -1 to 1 over nearly all log C of a table.
  static double place(double x) { return (x + 2) / 4; }
  double mean(double x) const {
    const double s = place(x), s2 = s * s;
    return -1.5 + 2.5 * (s + bend * (s2 * s2 - 1.5 * s2));  // slope 2.5 (1 + bend T_3(s))
  }
  double sigma(double x) const { return std::exp(-2.3 + hump * (1 - place(x) * place(x)) / 4); }
};

/// `trajectories` rollouts of depths 1, 2, ..., `depths`; the paper has 100 of 98.
inline Samples draw_rollouts(const RolloutLaw& law, uint64_t seed, int64_t trajectories,
                             int64_t depths) {
  Samples samples;
  samples.inputs = 1;
  for (int64_t t = 0; t < trajectories; ++t) {
    const RandomStream random(seed, "test.rollouts", static_cast<uint64_t>(t));
    for (int64_t d = 1; d <= depths; ++d) {
      const auto at = static_cast<uint64_t>(2 * d);
      const double x = -5 + 1.3 * std::log(static_cast<double>(d)) + 0.35 * random.normal(0) +
                       0.1 * random.normal(at);
      const double residual = std::sqrt(law.shared) * random.normal(1) +
                              std::sqrt(1 - law.shared) * random.normal(at + 1);
      samples.x.push_back(x);
      samples.y.push_back(law.mean(x) + law.sigma(x) * residual);
      samples.trajectory.push_back(t);
    }
  }
  return samples;
}

/// curves.csv of a made-up model: a quality factor per trajectory moves E, C follows E, seed_step
/// sees part of the factor.
inline std::string simulated_csv(int64_t trajectories, int64_t depths, uint64_t seed = 1) {
  std::string text = "split,trajectory,depth,C,E,spread_seed,local_4,seed_step,E_density\n";
  for (int64_t t = 0; t < trajectories; ++t) {
    const RandomStream noise(seed, "test.curves", static_cast<uint64_t>(t));
    const double quality = 0.3 * noise.normal(0);
    const double seed_step = std::exp(quality + 0.3 * noise.normal(1));
    for (int64_t d = 1; d <= depths; ++d) {
      const auto at = static_cast<uint64_t>(10 * d);
      const double log_e =
          -4 + 1.2 * std::log(static_cast<double>(d)) + quality + 0.1 * noise.normal(at);
      text += fmt::format("calibration,{},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}\n", t, d,
                          std::exp(log_e - 0.5 + 0.1 * noise.normal(at + 1)), std::exp(log_e),
                          std::exp(log_e - 2 + 0.2 * noise.normal(at + 2)),
                          std::exp(log_e - 1 + 0.15 * noise.normal(at + 3)), seed_step,
                          std::exp(0.9 * log_e + 0.1 * noise.normal(at + 4)));
    }
  }
  return text;
}

inline CurveTable simulated_curves(int64_t trajectories, int64_t depths, uint64_t seed = 1) {
  return curves_from(parse_csv(simulated_csv(trajectories, depths, seed), "simulated.csv"));
}

}  // namespace roundtrip
