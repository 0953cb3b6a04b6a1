#pragma once

#include <functional>
#include <vector>

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace roundtrip {

/// Values of order one by a formula, so that a test's numbers depend on nothing else.
inline torch::Tensor wave(torch::IntArrayRef shape, double phase,
                          torch::ScalarType type = torch::kFloat64) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return torch::sin(phase + 0.7 * torch::arange(count, torch::kFloat64)).reshape(shape).to(type);
}

/// Fills all parameters of a module by `wave`, so that no gate is shut.
inline void fill_by_wave(torch::nn::Module& module, double size) {
  const torch::NoGradGuard no_grad;
  double phase = 1;
  for (auto& parameter : module.parameters()) {
    parameter.copy_(size * wave(parameter.sizes(), phase));
    phase += 0.37;
  }
}

/// Expects autograd's gradient of a weighted sum of `function(sources)` to be the one of central
/// differences, at every `stride`-th element. The sources are float64.
///
/// With step 1e-5 the truncation (h^2 f'''/6) and the rounding (1e-16 |f| / h) are both near 1e-10
/// for functions of order one to ten; 1e-7 of the largest entry leaves room for sums of many terms
/// and would miss no wrong term.
inline void expect_gradients(
    const std::function<torch::Tensor(const std::vector<torch::Tensor>&)>& function,
    std::vector<torch::Tensor> sources, int64_t stride = 1) {
  for (torch::Tensor& source : sources) {
    if (source.is_leaf()) source.requires_grad_(true);
  }
  const torch::Tensor output = function(sources);
  const torch::Tensor weights = wave(output.sizes(), 0.3);
  const auto gradients = torch::autograd::grad({(output * weights).sum()}, sources);
  const auto value = [&] { return (function(sources) * weights).sum().item<double>(); };

  const torch::NoGradGuard no_grad;
  constexpr double kStep = 1e-5;
  for (size_t s = 0; s < sources.size(); ++s) {
    const torch::Tensor flat = sources[s].view({-1});
    const torch::Tensor gradient = gradients[s].reshape({-1});
    const double bound = 1e-7 * std::max(1.0, gradient.abs().max().item<double>());
    for (int64_t i = static_cast<int64_t>(s) % stride; i < flat.numel(); i += stride) {
      const double kept = flat[i].item<double>();
      flat[i] = kept + kStep;
      const double above = value();
      flat[i] = kept - kStep;
      const double below = value();
      flat[i] = kept;
      ASSERT_NEAR(gradient[i].item<double>(), (above - below) / (2 * kStep), bound)
          << "source " << s << ", element " << i;
    }
  }
}

/// The inputs, then the parameters of a module: all a gradient check of it varies.
inline std::vector<torch::Tensor> with_parameters(std::vector<torch::Tensor> inputs,
                                                  const torch::nn::Module& module) {
  for (const torch::Tensor& parameter : module.parameters()) inputs.push_back(parameter);
  return inputs;
}

/// The largest difference, in units of the largest entry of `expected`.
inline double relative_difference(const torch::Tensor& found, const torch::Tensor& expected) {
  return ((found - expected).abs().max() / expected.abs().max()).item<double>();
}

}  // namespace roundtrip
