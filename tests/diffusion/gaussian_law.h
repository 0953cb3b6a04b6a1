#pragma once

#include <cmath>

#include <torch/types.h>

#include "roundtrip/diffusion/noise_schedule.h"
#include "roundtrip/diffusion/sampler.h"

namespace roundtrip {

/// Data with the law N(mean, spread^2), for which the best denoiser is known: x_k is Gaussian with
/// mean sqrt(abar) mean and variance V = abar spread^2 + 1 - abar, so the conditional means of
/// frame and noise are linear in x_k. `mean` and `spread` broadcast with the frames, in float64.
struct GaussianLaw {
  torch::Tensor mean;
  torch::Tensor spread;

  /// E[output | x_k] for each prediction, by its own closed form.
  torch::Tensor output(Prediction prediction, const torch::Tensor& noised, double abar) const {
    const torch::Tensor variance = abar * spread.square() + (1 - abar);
    const torch::Tensor surprise = (noised - std::sqrt(abar) * mean) / variance;
    const torch::Tensor x0 = mean + std::sqrt(abar) * spread.square() * surprise;
    const torch::Tensor eps = std::sqrt(1 - abar) * surprise;
    if (prediction == Prediction::x0) return x0;
    if (prediction == Prediction::eps) return eps;
    return std::sqrt(abar) * eps - std::sqrt(1 - abar) * x0;
  }

  /// The same as a sampler sees it, through `estimate`.
  Denoise denoiser(Prediction prediction, const NoiseSchedule& schedule) const {
    return [*this, prediction, &schedule](const torch::Tensor& noised, int64_t k) {
      const torch::Tensor steps = torch::full({noised.size(0)}, k, torch::kInt64);
      return estimate(prediction, output(prediction, noised, schedule.alpha_bar(k)), noised,
                      schedule.alpha_bars(steps, noised.dim()));
    };
  }
};

}  // namespace roundtrip
