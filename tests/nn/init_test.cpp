#include "roundtrip/nn/init.h"

#include <gtest/gtest.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/types.h>

namespace roundtrip {
namespace {

TEST(KeyedNormal, DependsOnItsKeyAlone) {
  const torch::Tensor a = keyed_normal({3, 4}, 7, "noise", 2);
  EXPECT_TRUE(torch::equal(a, keyed_normal({3, 4}, 7, "noise", 2)));
  EXPECT_TRUE(torch::equal(a.flatten(), keyed_normal({12}, 7, "noise", 2)));
  EXPECT_FALSE(torch::equal(a, keyed_normal({3, 4}, 7, "noise", 3)));
  EXPECT_FALSE(torch::equal(a, keyed_normal({3, 4}, 8, "noise", 2)));
}

TEST(Initialise, IgnoresOrderOfConstructionAndTorchsGenerator) {
  torch::manual_seed(1);
  torch::nn::Linear first(5, 6);
  torch::manual_seed(2);
  torch::nn::Linear second(5, 6);
  initialise(*first, 3);
  initialise(*second, 3);
  EXPECT_TRUE(torch::equal(first->weight, second->weight));
  EXPECT_EQ(first->bias.abs().max().item<float>(), 0);
}

// Xavier's bound for a 3x3 convolution: fan-in 9 * 4, fan-out 9 * 8. With 288 uniform draws the
// largest lies within 5 percent of the bound except with probability 0.95^288 < 1e-6.
TEST(Initialise, ConvolutionsFillXaviersRange) {
  torch::nn::Conv2d convolution(torch::nn::Conv2dOptions(4, 8, 3));
  initialise(*convolution, 0);
  const float bound = std::sqrt(6.0f / (9 * 12));
  const float largest = convolution->weight.abs().max().item<float>();
  EXPECT_LE(largest, bound);
  EXPECT_GT(largest, 0.95f * bound);
}

TEST(Initialise, ScalesOfNormalisationStartAtOne) {
  torch::nn::GroupNorm norm(torch::nn::GroupNormOptions(2, 8));
  norm->weight.data().fill_(3);
  initialise(*norm, 0);
  EXPECT_EQ(norm->weight.min().item<float>(), 1);
  EXPECT_EQ(norm->weight.max().item<float>(), 1);
}

}  // namespace
}  // namespace roundtrip
