#include "roundtrip/nn/feed_forward.h"

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "tests/support/finite_difference.h"

namespace roundtrip {
namespace {

using Tensors = std::vector<torch::Tensor>;

TEST(Gelu, IsTorchsOverTheWholeRange) {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const torch::Tensor x = torch::linspace(-30, 30, 4001, type).requires_grad_(true);
    const torch::Tensor found = gelu_tanh(x);
    const torch::Tensor expected = torch::gelu(x, "tanh");
    // Both round at 1e-7 of |x| <= 30; torch's own form cancels in the negative tail.
    const double tolerance = type == torch::kFloat32 ? 2e-6 : 1e-14;
    EXPECT_TRUE(torch::allclose(found, expected, tolerance, tolerance));
    const torch::Tensor weights = wave(x.sizes(), 0.4, type);
    EXPECT_TRUE(torch::allclose(torch::autograd::grad({(found * weights).sum()}, {x})[0],
                                torch::autograd::grad({(expected * weights).sum()}, {x})[0],
                                4 * tolerance, 4 * tolerance));
    const torch::NoGradGuard no_grad;
    EXPECT_TRUE(torch::equal(gelu_tanh(x.clone()), found));
  }
}

TEST(Gelu, ExtremesAndNotANumber) {
  const float inf = std::numeric_limits<float>::infinity();
  const torch::Tensor y = gelu_tanh(torch::tensor({-1e20f, -100.f, 0.f, 100.f, 1e20f, NAN, inf}));
  EXPECT_EQ(y[0].item<float>(), 0);
  EXPECT_EQ(y[1].item<float>(), 0);
  EXPECT_EQ(y[2].item<float>(), 0);
  EXPECT_EQ(y[3].item<float>(), 100);
  EXPECT_EQ(y[4].item<float>(), 1e20f);
  EXPECT_TRUE(std::isnan(y[5].item<float>()));
  EXPECT_EQ(y[6].item<float>(), inf);
}

TEST(FeedForward, GradientsAreDifferences) {
  FeedForward layer(6, 12);
  layer->to(torch::kFloat64);
  fill_by_wave(*layer, 0.5);
  expect_gradients([&](const Tensors& s) { return layer(s[0]); },
                   with_parameters({wave({2, 3, 6}, 0.1)}, *layer));
}

}  // namespace
}  // namespace roundtrip
