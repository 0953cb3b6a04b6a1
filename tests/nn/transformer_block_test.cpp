#include "roundtrip/nn/transformer_block.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/nn/init.h"
#include "tests/support/finite_difference.h"

namespace roundtrip {
namespace {

using Tensors = std::vector<torch::Tensor>;

TransformerBlock block(bool qk_norm = false) {
  TransformerBlock layer(TransformerBlockOptions{8, 2, 6, 3, qk_norm});
  layer->to(torch::kFloat64);
  fill_by_wave(*layer, 0.4);
  return layer;
}

TEST(TransformerBlock, ZeroModulationIsTheIdentity) {
  TransformerBlock layer = block();
  const torch::NoGradGuard no_grad;
  layer->modulation->weight.zero_();
  layer->modulation->bias.zero_();
  const torch::Tensor x = wave({2, 5, 8}, 0.1);
  EXPECT_TRUE(torch::equal(layer(x, wave({2, 6}, 0.2), 5), x));
}

TEST(TransformerBlock, GradientsAreDifferences) {
  for (const bool qk_norm : {false, true}) {
    TransformerBlock layer = block(qk_norm);
    for (const int64_t tokens : {2, 5}) {
      expect_gradients([&](const Tensors& s) { return layer(s[0], s[1], tokens); },
                       with_parameters({wave({2, 5, 8}, 0.1), wave({2, 6}, 0.2)}, *layer),
                       /*stride=*/7);
    }
  }
}

TEST(TransformerBlock, FewerTokensAreTheFirstOfAll) {
  TransformerBlock layer = block();
  const torch::Tensor x = wave({2, 5, 8}, 0.1), c = wave({2, 6}, 0.2);
  EXPECT_LT(relative_difference(layer(x, c, 2), layer(x, c, 5).slice(/*dim=*/1, 0, 2)), 1e-14);
}

// Memory is reused where no gradient is recorded; the inputs stay as they were.
TEST(TransformerBlock, WithoutGradientsTheSameBitsAndUntouchedInputs) {
  TransformerBlock layer = block();
  const torch::Tensor x = wave({2, 5, 8}, 0.1), c = wave({2, 6}, 0.2);
  const torch::Tensor x_before = x.clone(), recorded = layer(x, c, 5);
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(torch::equal(layer(x, c, 5), recorded));
  EXPECT_TRUE(torch::equal(x, x_before));
}

}  // namespace
}  // namespace roundtrip
