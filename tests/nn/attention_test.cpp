#include "roundtrip/nn/attention.h"

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "tests/support/finite_difference.h"

namespace roundtrip {
namespace {

using Tensors = std::vector<torch::Tensor>;

class AttentionTest : public ::testing::TestWithParam<torch::ScalarType> {
 protected:
  const torch::ScalarType type_ = GetParam();
  // Sums of up to 300 terms of order one, in another order.
  const double tolerance_ = type_ == torch::kFloat64 ? 1e-13 : 1e-5;
};

TEST_P(AttentionTest, IsTorchsOwnOperations) {
  // The last is longer than a block of queries and of no round size.
  for (const auto& [batch, queries, tokens, heads, size] : std::vector<std::array<int64_t, 5>>{
           {2, 3, 5, 2, 4}, {1, 1, 1, 1, 3}, {2, 16, 16, 3, 32}, {1, 300, 301, 2, 5}}) {
    const int64_t width = heads * size;
    Tensors sources = {(3 * wave({batch, queries, width}, 0.1, type_)).requires_grad_(true),
                       (2 * wave({batch, tokens, width}, 0.2, type_)).requires_grad_(true),
                       wave({batch, tokens, width}, 0.3, type_).requires_grad_(true)};
    const torch::Tensor found = attention(sources[0], sources[1], sources[2], heads);
    const torch::Tensor expected = plain_attention(sources[0], sources[1], sources[2], heads);
    EXPECT_LT(relative_difference(found, expected), tolerance_);
    const torch::Tensor weights = wave(found.sizes(), 0.9, type_);
    const auto a = torch::autograd::grad({(found * weights).sum()}, sources);
    const auto b = torch::autograd::grad({(expected * weights).sum()}, sources);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_LT((a[i] - b[i]).abs().max().item<double>(),
                tolerance_ * b[2].abs().max().item<double>())
          << tokens << " source " << i;
    }
  }
}

TEST_P(AttentionTest, PackedIsTheSame) {
  const torch::Tensor qkv = (2 * wave({2, 9, 3 * 12}, 0.1, type_)).requires_grad_(true);
  const auto parts = qkv.chunk(3, /*dim=*/2);
  const torch::Tensor found = attention(qkv, 3);
  const torch::Tensor expected = plain_attention(parts[0], parts[1], parts[2], 3);
  EXPECT_LT(relative_difference(found, expected), tolerance_);
  const torch::Tensor weights = wave(found.sizes(), 0.9, type_);
  EXPECT_LT(relative_difference(torch::autograd::grad({(found * weights).sum()}, {qkv})[0],
                                torch::autograd::grad({(expected * weights).sum()}, {qkv})[0]),
            tolerance_);
}

INSTANTIATE_TEST_SUITE_P(Types, AttentionTest, ::testing::Values(torch::kFloat32, torch::kFloat64),
                         [](const auto& type) { return torch::toString(type.param); });

// Logits of a thousand overflow exp in float; the softmax is then a choice of the largest.
TEST(Attention, LargeLogitsStayFinite) {
  const torch::Tensor q = torch::full({1, 2, 1}, 1000.f);
  const torch::Tensor k = torch::tensor({1.f, 2.f, -3.f}).view({1, 3, 1});
  const torch::Tensor v = torch::tensor({5.f, 7.f, 9.f}).view({1, 3, 1});
  EXPECT_TRUE(torch::equal(attention(q, k, v, 1), torch::full({1, 2, 1}, 7.f)));
}

TEST(Attention, GradientsAreDifferences) {
  expect_gradients([](const Tensors& s) { return attention(s[0], s[1], s[2], 2); },
                   {wave({2, 3, 6}, 0.1), wave({2, 4, 6}, 0.2), wave({2, 4, 6}, 0.4)});
  expect_gradients([](const Tensors& s) { return attention(s[0], 2); }, {wave({2, 3, 18}, 0.1)});
}

}  // namespace
}  // namespace roundtrip
