#include "roundtrip/train/flat_parameters.h"

#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

namespace roundtrip {
namespace {

TEST(FlatParameters, ModuleKeepsItsValuesAndSharesMemory) {
  torch::nn::Linear module(3, 2);
  const torch::Tensor before = module->weight.detach().clone();
  FlatParameters flat(*module);
  EXPECT_EQ(flat.values().numel(), 8);
  EXPECT_TRUE(torch::equal(module->weight, before));
  flat.values().fill_(2);
  EXPECT_EQ(module->weight.min().item<float>(), 2);
  EXPECT_TRUE(torch::equal(flat.named(flat.values()).at("bias"), torch::full({2}, 2.0)));
}

TEST(FlatParameters, BackwardFillsTheFlatGradient) {
  torch::nn::Linear module(3, 2);
  FlatParameters flat(*module);
  for (int i = 0; i < 2; ++i) module->forward(torch::ones({4, 3})).sum().backward();
  // d/dw of the sum over 4 rows of ones, twice.
  EXPECT_TRUE(torch::equal(flat.gradients(), torch::full({8}, 8.0)));
}

TEST(FlatParameters, FrozenParametersStayOut) {
  torch::nn::Linear module(3, 2);
  module->bias.set_requires_grad(false);
  EXPECT_EQ(FlatParameters(*module).values().numel(), 6);
}

TEST(SwappedValues, ComeBack) {
  torch::nn::Linear module(3, 2);
  FlatParameters flat(*module);
  const torch::Tensor before = flat.values().clone();
  {
    const SwappedValues other(flat, torch::zeros({8}));
    EXPECT_EQ(module->weight.abs().max().item<float>(), 0);
  }
  EXPECT_TRUE(torch::equal(flat.values(), before));
}

}  // namespace
}  // namespace roundtrip
