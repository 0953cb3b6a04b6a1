#include "roundtrip/diffusion/ancestral.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "roundtrip/diffusion/frame_target.h"
#include "roundtrip/diffusion/noise_levels.h"
#include "roundtrip/nn/init.h"
#include "tests/diffusion/gaussian_law.h"

namespace roundtrip {
namespace {

struct Moments {
  double mean, variance;
};

// Mean and variance of a sample with the exact denoiser of N(mean, spread^2), from the posterior
// of x_next given x and x0 as DDPM writes it: mean (sqrt(b) beta x0 + sqrt(alpha) (1 - b) x) /
// (1 - a), variance beta (1 - b) / (1 - a), with alpha = a / b and beta = 1 - alpha.
Moments exact_moments(const std::vector<NoiseLevel>& levels, double mean, double spread) {
  Moments x{0, 1};
  for (const auto& [k, a, b] : levels) {
    const double alpha = a / b, beta = 1 - alpha;
    // E[x0 | x] = slope x + shift
    const double slope = std::sqrt(a) * spread * spread / (a * spread * spread + 1 - a);
    const double shift = mean - slope * std::sqrt(a) * mean;
    const double of_x0 = std::sqrt(b) * beta / (1 - a);
    const double of_x = std::sqrt(alpha) * (1 - b) / (1 - a);
    const double gain = of_x0 * slope + of_x;
    x.mean = gain * x.mean + of_x0 * shift;
    x.variance = gain * gain * x.variance + beta * (1 - b) / (1 - a);
  }
  return x;
}

TEST(Ancestral, HasTheExactMomentsInEveryPredictionAndTarget) {
  const NoiseSchedule schedule(200);
  const double mean = 0.7, spread = 0.5, delta_std = 0.2;
  const int64_t count = 20000;
  const auto sampler = make_ancestral({.steps = 25}, schedule);
  const std::vector<NoiseLevel> levels = noise_levels(schedule, Spacing::leading, 25);
  const torch::Tensor nearest = torch::full({count, 1, 1, 1}, 3.0, torch::kFloat64);
  uint64_t seed = 0;
  for (const PredictionEntry& prediction : predictions()) {
    for (const FrameTargetEntry& target : frame_targets()) {
      const bool delta = target.value == FrameTarget::delta;
      const TargetMap map(target.value, {delta_std});
      const double scale = delta ? delta_std : 1;
      const GaussianLaw law{torch::full({1}, mean / scale, torch::kFloat64),
                            torch::full({1}, spread / scale, torch::kFloat64)};
      ++seed;
      const auto noise = [&](int64_t call) {
        return keyed_normal({count, 1, 1, 1}, seed, "step", call, torch::kFloat64);
      };
      const torch::Tensor start = keyed_normal({count, 1, 1, 1}, seed, "start", 0, torch::kFloat64);
      const torch::Tensor frames = map.to_frame(
          sampler->sample(law.denoiser(prediction.value, schedule), start, noise), nearest);

      const Moments exact = exact_moments(levels, mean / scale, spread / scale);
      const double variance = exact.variance * scale * scale;
      // Four standard errors; those of the variance of Gaussian draws are variance sqrt(2 / n).
      EXPECT_NEAR(frames.mean().item<double>(), (delta ? 3 : 0) + exact.mean * scale,
                  4 * std::sqrt(variance / count))
          << prediction.name << " " << target.name;
      EXPECT_NEAR(frames.var().item<double>(), variance, 4 * variance * std::sqrt(2.0 / count))
          << prediction.name << " " << target.name;
    }
  }
}

// A step puts E[x0 | x] where a draw of x0 belongs, so variance is missing, in first order of the
// step; 1000 calls miss less than 1 percent.
TEST(Ancestral, ApproachesTheLawAsCallsGrow) {
  const NoiseSchedule schedule(1000);
  for (const double spread : {0.5, 1.0}) {
    const auto missing = [&](int64_t calls) {
      const Moments x = exact_moments(noise_levels(schedule, Spacing::leading, calls), 1, spread);
      return 1 - x.variance / (spread * spread);
    };
    EXPECT_NEAR(missing(50) / missing(100), 2, 0.3) << spread;
    EXPECT_NEAR(missing(100) / missing(200), 2, 0.3) << spread;
    EXPECT_LT(std::abs(missing(1000)), 0.01) << spread;
    const Moments x = exact_moments(noise_levels(schedule, Spacing::leading, 1000), 1, spread);
    EXPECT_NEAR(x.mean, 1, 1e-3);
  }
}

TEST(Ancestral, AsksForNoiseAfterEveryCallButTheLast) {
  const NoiseSchedule schedule(200);
  std::vector<int64_t> asked;
  const auto noise = [&](int64_t call) {
    asked.push_back(call);
    return torch::zeros({1, 1, 1, 1}, torch::kFloat64);
  };
  const GaussianLaw law{torch::zeros({1}, torch::kFloat64), torch::ones({1}, torch::kFloat64)};
  const auto sampler = make_ancestral({.steps = 5}, schedule);
  sampler->sample(law.denoiser(Prediction::v, schedule), torch::ones({1, 1, 1, 1}), noise);
  EXPECT_EQ(asked, (std::vector<int64_t>{0, 1, 2, 3}));
  EXPECT_THROW(sampler->sample(law.denoiser(Prediction::v, schedule), torch::ones({1, 1}), {}),
               Bug);
}

}  // namespace
}  // namespace roundtrip
