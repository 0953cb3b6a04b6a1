#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include <torch/autograd.h>
#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace roundtrip {

/// The largest difference between autograd and central differences of the scalar `value()` over
/// chosen elements of `tensors` (float64 leaves), relative to the largest slope seen.
inline double gradient_error(const std::function<torch::Tensor()>& value,
                             const std::vector<torch::Tensor>& tensors, int64_t per_tensor = 3) {
  const auto slopes = torch::autograd::grad({value()}, tensors);
  const torch::NoGradGuard no_grad;
  const double step = 1e-5;  // truncation step^2 and rounding 1e-16 / step both near 1e-10
  double largest = 0, error = 0;
  for (size_t t = 0; t < tensors.size(); ++t) {
    const torch::Tensor flat = tensors[t].detach().view(-1);
    const torch::Tensor expected = slopes[t].contiguous().view(-1);
    const int64_t stride = std::max<int64_t>(1, flat.numel() / per_tensor);
    for (int64_t i = stride / 2; i < flat.numel(); i += stride) {
      const double kept = flat[i].item<double>();
      flat[i] = kept + step;
      const double above = value().item<double>();
      flat[i] = kept - step;
      const double below = value().item<double>();
      flat[i] = kept;
      const double slope = (above - below) / (2 * step);
      largest = std::max(largest, std::abs(slope));
      error = std::max(error, std::abs(slope - expected[i].item<double>()));
    }
  }
  return error / largest;
}

/// Every parameter of a module drawn from sin of its position, so that none is special (no zeros,
/// no ones).
inline void fill_by_sine(torch::nn::Module& module, double size = 0.3) {
  const torch::NoGradGuard no_grad;
  double phase = 1;
  for (auto& parameter : module.parameters()) {
    const torch::Tensor i = torch::arange(parameter.numel(), torch::kFloat64);
    parameter.copy_((size * torch::sin(phase + 0.37 * i)).view(parameter.sizes()));
    phase += 0.11;
  }
}

}  // namespace roundtrip
