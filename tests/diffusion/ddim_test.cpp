// With the exact denoiser of a Gaussian law a DDIM step is linear: the deviation d = x - sqrt(a) m
// becomes d (sqrt(a b) s^2 + sqrt((1-a)(1-b))) / V(a), with a and b the abar of this level and the
// next. The tests multiply these gains in scalars and compare.
#include "roundtrip/diffusion/ddim.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "roundtrip/diffusion/frame_target.h"
#include "roundtrip/diffusion/noise_levels.h"
#include "roundtrip/nn/init.h"
#include "tests/diffusion/gaussian_law.h"

namespace roundtrip {
namespace {

// Standard deviation of a sample drawn from standard normal initial noise.
double total_gain(const std::vector<NoiseLevel>& levels, double spread) {
  double gain = 1;
  for (const auto& [k, a, b] : levels) {
    const double variance = a * spread * spread + 1 - a;
    gain *= (std::sqrt(a * b) * spread * spread + std::sqrt((1 - a) * (1 - b))) / variance;
  }
  return gain;
}

double leading_gain(const NoiseSchedule& schedule, int64_t calls, double spread) {
  return total_gain(noise_levels(schedule, Spacing::leading, calls), spread);
}

// Rounding grows by at most 1/sqrt(abar) = 1/0.03 at the first of 50 steps, and adds up over them.
TEST(Ddim, IsTheLinearMapOfAGaussianLawInEveryPredictionAndTarget) {
  const NoiseSchedule schedule(1000);
  const double mean = 0.7, spread = 0.3, delta_std = 0.2;
  const torch::Tensor nearest = keyed_normal({3, 1, 2, 2}, 1, "nearest", 0, torch::kFloat64);
  const torch::Tensor start = keyed_normal({3, 1, 2, 2}, 1, "start", 0, torch::kFloat64);
  for (const Spacing spacing : {Spacing::leading, Spacing::trailing}) {
    const std::string_view name = spacings()[static_cast<size_t>(spacing)].name;
    const auto sampler = make_ddim({.steps = 50, .spacing = std::string(name)}, schedule);
    const std::vector<NoiseLevel> levels = noise_levels(schedule, spacing, 50);
    for (const PredictionRow& prediction : predictions()) {
      // From the singular step eps amplifies rounding by 1/sqrt(2.4e-9) = 2e4.
      const bool singular = spacing == Spacing::trailing && prediction.value == Prediction::eps;
      for (const FrameTargetRow& target : frame_targets()) {
        // The next frame is N(mean, spread^2) around zero, or around the nearest frame.
        const bool delta = target.value == FrameTarget::delta;
        const TargetMap map(target.value, {delta_std});
        const double scale = delta ? delta_std : 1;
        const GaussianLaw law{torch::full({1}, mean / scale, torch::kFloat64),
                              torch::full({1}, spread / scale, torch::kFloat64)};
        const torch::Tensor x0 =
            sampler->sample(law.denoiser(prediction.value, schedule), start, {});
        const double gain = total_gain(levels, spread / scale);
        const torch::Tensor expected =
            (delta ? nearest : torch::zeros_like(nearest)) + mean +
            gain * (scale * start - std::sqrt(levels[0].alpha_bar) * mean);
        EXPECT_LT((map.to_frame(x0, nearest) - expected).abs().max().item<double>(),
                  singular ? 1e-9 : 1e-12)
            << name << " " << prediction.name << " " << target.name;
      }
    }
  }
}

// Write a = cos^2 t and u = (s cos t, sin t), so that V = |u|^2. A step's gain is then |u'| / |u|,
// which is exact, times the cosine of the angle between u and u'. That angle is s / V dt, so N
// leading calls (dt = pi / 2 N) miss the fraction pi / 2N times the integral of (s / V)^2, which is
// pi^2 (1 + s^2) / (8 s N), and the last call from abar_0 to 1 another (1 - abar_0) / s^2: with all
// 1000 calls 0.25 percent of the variance for s = 1, 1.7 percent for s = 0.1. The next order is 1/N
// of that; 1 percent is the schedule's offset of 0.008.
TEST(Ddim, LosesVarianceInFirstOrderOfTheStep) {
  const NoiseSchedule schedule(1000);
  for (const double spread : {0.1, 0.5, 1.0, 2.0}) {
    for (const int64_t calls : {50, 100, 200, 500, 1000}) {
      const double square = spread * spread, count = static_cast<double>(calls);
      const double missing = 1 - std::pow(leading_gain(schedule, calls, spread), 2) / square;
      const double first_order =
          std::pow(std::numbers::pi, 2) * (1 + square) / (8 * spread * count) +
          (1 - schedule.alpha_bar(0)) / square;
      EXPECT_NEAR(missing / first_order, 1, 0.01 + 6 / count) << spread << " " << calls;
    }
  }
}

// The start has mean 0 where the law has sqrt(abar) m; with stride i the angle left to pure noise
// is pi/2 (i - 1) / 1008. The samples inherit that, times their gain, until the first call is at
// the last step.
TEST(Ddim, ForgetsTheMeanOfTheStartAsCallsGrow) {
  const NoiseSchedule schedule(1000);
  const auto bias = [&](int64_t calls) {
    const std::vector<NoiseLevel> levels = noise_levels(schedule, Spacing::leading, calls);
    return total_gain(levels, 1) * std::sqrt(levels[0].alpha_bar);
  };
  for (const int64_t calls : {50, 100, 200}) {
    const double left = std::numbers::pi / 2 * (1000.0 / static_cast<double>(calls) - 1) / 1008;
    EXPECT_NEAR(bias(calls) / (leading_gain(schedule, calls, 1) * left), 1, 1e-3) << calls;
  }
  EXPECT_LT(bias(1000), 5e-5);  // sqrt(2.43e-9)
}

// One call gives the best estimate of the frame from noise alone: the mean, with v and x0. The
// error of eps is the rounding of x0 times 1/sqrt(abar).
TEST(Ddim, ASingleTrailingCallGivesTheMean) {
  const NoiseSchedule schedule(1000);
  const GaussianLaw law{torch::full({1}, 0.7), torch::full({1}, 0.3)};  // float32, as in use
  const auto sampler = make_ddim({.steps = 1, .spacing = "trailing"}, schedule);
  const torch::Tensor start = keyed_normal({4, 1, 8, 8}, 1, "start");
  const auto error = [&](Prediction prediction) {
    const torch::Tensor x0 = sampler->sample(law.denoiser(prediction, schedule), start, {});
    EXPECT_EQ(x0.scalar_type(), torch::kFloat32);
    return (x0 - 0.7).abs().max().item<double>();
  };
  // sqrt(abar) s^2 of the start is left: 4.4e-6 times at most 4; and float32's rounding.
  EXPECT_LT(error(Prediction::v), 2e-5);
  EXPECT_LT(error(Prediction::x0), 2e-5);
  EXPECT_GT(error(Prediction::eps), 1e-4);
}

}  // namespace
}  // namespace roundtrip
