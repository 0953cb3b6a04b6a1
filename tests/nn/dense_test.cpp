#include "roundtrip/nn/dense.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "tests/support/finite_difference.h"

namespace roundtrip {
namespace {

using Tensors = std::vector<torch::Tensor>;

TEST(Dense, IsTorchsLinear) {
  Dense layer(5, 7);
  fill_by_wave(*layer, 1);
  const torch::Tensor x = wave({2, 3, 5}, 0.2, torch::kFloat32);
  const torch::Tensor expected = torch::linear(x, layer->weight, layer->bias);
  EXPECT_TRUE(torch::allclose(layer(x), expected, 1e-5, 1e-6));
  EXPECT_TRUE(torch::allclose(layer->forward_part(x, 2, 4), expected.slice(2, 2, 6), 1e-5, 1e-6));
}

TEST(Dense, GradientsAreDifferences) {
  Dense layer(5, 7);
  layer->to(torch::kFloat64);
  fill_by_wave(*layer, 1);
  expect_gradients([&](const Tensors& s) { return layer(s[0]); },
                   with_parameters({wave({2, 3, 5}, 0.1)}, *layer));
  expect_gradients([&](const Tensors& s) { return layer->forward_part(s[0], 1, 3); },
                   with_parameters({wave({2, 3, 5}, 0.1)}, *layer));
}

}  // namespace
}  // namespace roundtrip
