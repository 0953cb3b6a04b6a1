#include "roundtrip/nn/resample.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/nn/init.h"
#include "tests/support/gradient_check.h"

namespace roundtrip {
namespace {

// A 3x3 kernel that is one at (row, column) and zero elsewhere, from every channel to itself.
template <class Module>
void pick(Module& module, int64_t row, int64_t column) {
  const torch::NoGradGuard no_grad;
  auto parameters = module->named_parameters();
  torch::Tensor weight = parameters["conv.weight"];
  weight.zero_();
  for (int64_t i = 0; i < weight.size(0); ++i) weight[i][i][row][column] = 1;
  parameters["conv.bias"].zero_();
}

// Zeros come right and below only: the kernel's first corner sees the even pixels, its last one the
// even pixels two on, which past the edge are zero.
TEST(Downsample, PadsRightAndBelow) {
  const torch::Tensor x = torch::arange(1, 49, torch::kFloat32).view({1, 2, 4, 6});
  Downsample module(2);
  pick(module, 0, 0);
  using torch::indexing::Slice;
  const torch::Tensor even = x.index({Slice(), Slice(), Slice(0, {}, 2), Slice(0, {}, 2)});
  EXPECT_TRUE(torch::equal(module(x), even));
  pick(module, 2, 2);
  const torch::Tensor later = module(x);
  EXPECT_EQ(later[0][0][0][0].item<float>(), x[0][0][2][2].item<float>());
  EXPECT_EQ(later[0][0][1].abs().max().item<float>(), 0);
  EXPECT_EQ(later[0][0][0][2].item<float>(), 0);
}

TEST(Upsample, RepeatsPixels) {
  const torch::Tensor x = torch::arange(12, torch::kFloat32).view({1, 2, 2, 3});
  Upsample module(2);
  pick(module, 1, 1);
  const torch::Tensor expected = x.repeat_interleave(2, /*dim=*/2).repeat_interleave(2, /*dim=*/3);
  EXPECT_TRUE(torch::equal(module(x), expected));
}

TEST(Resample, GradientsMatchFiniteDifferences) {
  Downsample down(2);
  Upsample up(2);
  down->to(torch::kFloat64);
  up->to(torch::kFloat64);
  fill_by_sine(*down);
  fill_by_sine(*up);
  const torch::Tensor x =
      keyed_normal({1, 2, 4, 6}, 1, "image", 0, torch::kFloat64).requires_grad_();
  std::vector<torch::Tensor> tensors = down->parameters();
  for (const auto& parameter : up->parameters()) tensors.push_back(parameter);
  tensors.push_back(x);
  EXPECT_LT(gradient_error([&] { return up(down(x)).square().sum(); }, tensors), 1e-7);
}

}  // namespace
}  // namespace roundtrip
