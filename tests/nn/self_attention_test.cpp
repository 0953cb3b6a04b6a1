#include "roundtrip/nn/self_attention.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "tests/support/finite_difference.h"

namespace roundtrip {
namespace {

using Tensors = std::vector<torch::Tensor>;

TEST(SelfAttention, GradientsAreDifferences) {
  for (const bool qk_norm : {false, true}) {
    SelfAttention layer(SelfAttentionOptions{8, 2, qk_norm});
    layer->to(torch::kFloat64);
    fill_by_wave(*layer, 0.4);
    for (const int64_t queries : {2, 5}) {
      expect_gradients([&](const Tensors& s) { return layer(s[0], queries); },
                       with_parameters({wave({2, 5, 8}, 0.1)}, *layer));
    }
  }
}

TEST(SelfAttention, FewerQueriesAreTheFirstOfAll) {
  for (const bool qk_norm : {false, true}) {
    SelfAttention layer(SelfAttentionOptions{8, 2, qk_norm});
    layer->to(torch::kFloat64);
    fill_by_wave(*layer, 0.4);
    const torch::Tensor x = wave({2, 5, 8}, 0.1);
    EXPECT_LT(relative_difference(layer(x, 3), layer(x, 5).slice(/*dim=*/1, 0, 3)), 1e-14);
  }
}

// Normalised queries and keys bound every logit by sqrt(d), whatever the size of the input matrix.
TEST(SelfAttention, QkNormIgnoresTheSizeOfQueriesAndKeys) {
  SelfAttention layer(SelfAttentionOptions{8, 2, /*qk_norm=*/true});
  layer->to(torch::kFloat64);
  fill_by_wave(*layer, 0.4);
  const torch::Tensor x = wave({2, 5, 8}, 0.1);
  const torch::Tensor before = layer(x, 5);
  const torch::NoGradGuard no_grad;
  layer->qkv->weight.slice(0, 0, 16).mul_(1000);
  layer->qkv->bias.slice(0, 0, 16).mul_(1000);
  EXPECT_LT(relative_difference(layer(x, 5), before), 1e-4);  // epsilon 1e-6 against the variance
}

}  // namespace
}  // namespace roundtrip
