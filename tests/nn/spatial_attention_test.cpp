#include "roundtrip/nn/spatial_attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/nn/init.h"
#include "tests/support/error_of.h"
#include "tests/support/gradient_check.h"

namespace roundtrip {
namespace {

SpatialAttention attention(int64_t channels, int64_t heads) {
  SpatialAttention module(SpatialAttentionOptions{channels, heads, 2});
  module->to(torch::kFloat64);
  fill_by_sine(*module);
  return module;
}

torch::Tensor attention_image(int64_t height, int64_t width) {
  return keyed_normal({2, 4, height, width}, 1, "image", 0, torch::kFloat64);
}

// The definition, place by place and head by head.
torch::Tensor by_loops(SpatialAttention module, const torch::Tensor& x, int64_t heads) {
  auto p = module->named_parameters();
  const int64_t places = x.size(2) * x.size(3), width = x.size(1) / heads;
  torch::Tensor y = x.clone();
  for (int64_t b = 0; b < x.size(0); ++b) {
    const torch::Tensor tokens =
        torch::group_norm(x, 2, p["group_norm.weight"], p["group_norm.bias"], 1e-6)[b]
            .view({x.size(1), places})
            .t();
    const torch::Tensor q = torch::linear(tokens, p["to_q.weight"], p["to_q.bias"]);
    const torch::Tensor k = torch::linear(tokens, p["to_k.weight"], p["to_k.bias"]);
    const torch::Tensor v = torch::linear(tokens, p["to_v.weight"], p["to_v.bias"]);
    torch::Tensor seen = torch::zeros_like(tokens);
    for (int64_t h = 0; h < heads; ++h) {
      const auto part = [&](const torch::Tensor& t) { return t.narrow(1, h * width, width); };
      for (int64_t i = 0; i < places; ++i) {
        const torch::Tensor scores = part(k).mv(part(q)[i]) / std::sqrt(double(width));
        seen[i].narrow(0, h * width, width).copy_(scores.softmax(0).matmul(part(v)));
      }
    }
    y[b] += torch::linear(seen, p["to_out.0.weight"], p["to_out.0.bias"]).t().view_as(x[b]);
  }
  return y;
}

TEST(SpatialAttention, MatchesItsDefinition) {
  const torch::NoGradGuard no_grad;
  for (const int64_t heads : {1, 2, 4}) {
    SpatialAttention module = attention(4, heads);
    const torch::Tensor x = attention_image(3, 5);
    EXPECT_TRUE(torch::allclose(module(x), by_loops(module, x, heads), 1e-12, 1e-12)) << heads;
  }
}

TEST(SpatialAttention, DoesNotKnowWhereAPlaceIs) {
  const torch::NoGradGuard no_grad;
  SpatialAttention module = attention(4, 2);
  const torch::Tensor x = attention_image(4, 4);
  EXPECT_TRUE(torch::allclose(module(x.flip({2})), module(x).flip({2}), 1e-12, 1e-12));
}

TEST(SpatialAttention, GradientsMatchFiniteDifferences) {
  SpatialAttention module = attention(4, 2);
  const torch::Tensor x = attention_image(3, 2).requires_grad_();
  std::vector<torch::Tensor> tensors = module->parameters();
  tensors.push_back(x);
  EXPECT_LT(gradient_error([&] { return module(x).square().sum(); }, tensors), 1e-7);
}

TEST(SpatialAttention, HeadsMustDivideTheChannels) {
  EXPECT_THAT(error_of([] {
                SpatialAttention(SpatialAttentionOptions{6, 4, 2});
              }),
              ::testing::HasSubstr("heads that divide the 6 channels"));
}

}  // namespace
}  // namespace roundtrip
