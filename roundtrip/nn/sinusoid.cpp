// Whole numbers as points on circles of many speeds: near numbers get near features, and a shift of
// the number is a rotation of the features. Vaswani et al. 2017, section 3.5.
#include "roundtrip/nn/sinusoid.h"

#include <cmath>

#include <torch/types.h>

#include "roundtrip/base/error.h"

namespace roundtrip {

torch::Tensor sinusoid(const torch::Tensor& numbers, int64_t width, torch::ScalarType type) {
  ensure(width > 0 && width % 2 == 0, "a sinusoid's width is even");
  constexpr double kMaxPeriod = 10000;
  const int64_t half = width / 2;
  // In double: at index 1000 a float's angle would already be off by 1e-4.
  const auto options = torch::TensorOptions(torch::kFloat64).device(numbers.device());
  const torch::Tensor frequencies = torch::exp(torch::arange(half, options) *
                                               (-std::log(kMaxPeriod) / static_cast<double>(half)));
  const torch::Tensor angles = numbers.to(torch::kFloat64).unsqueeze(1) * frequencies;
  return torch::cat({angles.cos(), angles.sin()}, /*dim=*/1).to(type);
}

torch::Tensor grid_sinusoid(int64_t rows, int64_t columns, int64_t width, torch::ScalarType type) {
  ensure(width % 4 == 0, "a grid sinusoid's width is a multiple of 4");
  const torch::Tensor row = sinusoid(torch::arange(rows), width / 2, type);
  const torch::Tensor column = sinusoid(torch::arange(columns), width / 2, type);
  return torch::cat({row.repeat_interleave(columns, /*dim=*/0), column.repeat({rows, 1})},
                    /*dim=*/1);
}

}  // namespace roundtrip
