#include "roundtrip/nn/init.h"

#include <cmath>
#include <span>
#include <string>

#include <torch/nn/module.h>

#include "roundtrip/base/random.h"

namespace roundtrip {
namespace {

std::span<double> values_of(torch::Tensor& tensor) {
  return {tensor.data_ptr<double>(), static_cast<size_t>(tensor.numel())};
}

// Uniform in +-sqrt(6 / (inputs + outputs)), which keeps the variance of a signal both ways.
torch::Tensor xavier_uniform(const torch::Tensor& parameter, const RandomStream& draws) {
  const int64_t window = parameter.numel() / (parameter.size(0) * parameter.size(1));
  const double bound =
      std::sqrt(6.0 / static_cast<double>(window * (parameter.size(0) + parameter.size(1))));
  torch::Tensor values = torch::empty(parameter.sizes(), torch::kFloat64);
  uint64_t i = 0;
  for (double& value : values_of(values)) value = draws.uniform(i++, -bound, bound);
  return values;
}

}  // namespace

torch::Tensor keyed_normal(torch::IntArrayRef shape, uint64_t seed, std::string_view purpose,
                           uint64_t index, torch::ScalarType type) {
  torch::Tensor values = torch::empty(shape, torch::kFloat64);
  RandomStream(seed, purpose, index).fill_normal(values_of(values));
  return values.to(type);
}

void initialise(torch::nn::Module& module, uint64_t seed) {
  const torch::NoGradGuard no_grad;
  for (auto& item : module.named_parameters()) {
    const std::string& name = item.key();
    torch::Tensor& parameter = item.value();
    if (name.ends_with("embedding.weight")) {
      parameter.copy_(0.02 * keyed_normal(parameter.sizes(), seed, "init." + name));
    } else if (parameter.dim() >= 2) {
      parameter.copy_(xavier_uniform(parameter, RandomStream(seed, "init." + name)));
    } else {
      parameter.fill_(name.ends_with("weight") ? 1.0 : 0.0);
    }
  }
}

}  // namespace roundtrip
