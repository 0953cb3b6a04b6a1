#include "roundtrip/nn/residual_block.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/nn/init.h"
#include "tests/support/gradient_check.h"

namespace roundtrip {
namespace {

torch::Tensor image(int64_t batch, int64_t channels) {
  return keyed_normal({batch, channels, 5, 4}, 1, "image", 0, torch::kFloat64);
}

TEST(GroupNorm, TakesTheGroupsThatDivideTheChannels) {
  EXPECT_EQ(group_norm(32, 64)->options.num_groups(), 32);
  EXPECT_EQ(group_norm(32, 16)->options.num_groups(), 16);
  EXPECT_EQ(group_norm(8, 12)->options.num_groups(), 4);
}

TEST(Film, StartsAsTheIdentity) {
  Film film(3, 6);
  film->to(torch::kFloat64);
  const torch::Tensor x = image(2, 6);
  EXPECT_TRUE(torch::equal(film(x, torch::eye(3, torch::kFloat64).narrow(0, 0, 2)), x));
}

// With a one-hot condition k, gamma is 1 + column k of the weight + bias, beta the same of its
// second half.
TEST(Film, ScalesAndShiftsByTheColumnOfTheCondition) {
  Film film(3, 2);
  film->to(torch::kFloat64);
  fill_by_sine(*film);
  const auto parameters = film->named_parameters();
  const torch::Tensor weight = parameters["linear.weight"], bias = parameters["linear.bias"];
  const torch::Tensor x = image(3, 2);
  const torch::Tensor y = film(x, torch::eye(3, torch::kFloat64));
  for (int64_t k = 0; k < 3; ++k) {
    for (int64_t channel = 0; channel < 2; ++channel) {
      const torch::Tensor gamma = 1 + weight[channel][k] + bias[channel];
      const torch::Tensor beta = weight[2 + channel][k] + bias[2 + channel];
      EXPECT_TRUE(torch::allclose(y[k][channel], gamma * x[k][channel] + beta));
    }
  }
}

TEST(ResidualBlock, KeepsTheSizeAndChangesTheChannels) {
  ResidualBlock block(ResidualBlockOptions{8, 12, 4, 2});
  const torch::Tensor y = block(torch::ones({3, 8, 6, 10}), torch::ones({3, 2}));
  EXPECT_EQ(y.sizes(), torch::IntArrayRef({3, 12, 6, 10}));
}

TEST(ResidualBlock, WithoutItsLastConvolutionIsTheIdentity) {
  ResidualBlock block(ResidualBlockOptions{8, 8, 4, 0});
  const torch::NoGradGuard no_grad;
  block->named_parameters()["conv2.weight"].zero_();
  block->named_parameters()["conv2.bias"].zero_();
  const torch::Tensor x = image(2, 8).to(torch::kFloat32);
  EXPECT_TRUE(torch::equal(block(x), x));
}

// Central differences in float64 agree to about 1e-9 of the largest slope; 1e-7 leaves room.
TEST(ResidualBlock, GradientsMatchFiniteDifferences) {
  ResidualBlock block(ResidualBlockOptions{4, 6, 2, 3});
  block->to(torch::kFloat64);
  fill_by_sine(*block);
  const torch::Tensor x = image(2, 4).requires_grad_();
  const torch::Tensor condition =
      torch::tensor({{1.0, 0.0, 0.0}, {0.2, 0.3, 0.5}}, torch::kFloat64).requires_grad_();
  std::vector<torch::Tensor> tensors = block->parameters();
  tensors.insert(tensors.end(), {x, condition});
  EXPECT_LT(gradient_error([&] { return block(x, condition).square().sum(); }, tensors), 1e-7);
}

}  // namespace
}  // namespace roundtrip
