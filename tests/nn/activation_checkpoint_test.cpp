#include "roundtrip/nn/activation_checkpoint.h"

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/nn/module.h>
#include <torch/types.h>

#include "roundtrip/nn/transformer_block.h"
#include "tests/support/finite_difference.h"

namespace roundtrip {
namespace {

using Tensors = std::vector<torch::Tensor>;

class CheckpointTest : public ::testing::Test {
 protected:
  void SetUp() override { fill_by_wave(*block_, 0.4); }

  torch::Tensor run(const Tensors& inputs, bool checkpoint) {
    const auto layer = [this](const Tensors& s) { return block_(s[0], s[1], 5); };
    return checkpoint ? checkpointed(*block_, inputs, layer) : layer(inputs);
  }

  TransformerBlock block_{TransformerBlockOptions{8, 2, 6, 3}};
  torch::Tensor x_ = wave({2, 5, 8}, 0.1, torch::kFloat32);
  torch::Tensor c_ = wave({2, 6}, 0.2, torch::kFloat32);
};

TEST_F(CheckpointTest, GradientsAreTheSameBits) {
  x_.requires_grad_(true);
  const Tensors sources = with_parameters({x_}, *block_);
  const torch::Tensor weights = wave(x_.sizes(), 0.3, torch::kFloat32);
  const auto plain = torch::autograd::grad({(run({x_, c_}, false) * weights).sum()}, sources);
  const auto again = torch::autograd::grad({(run({x_, c_}, true) * weights).sum()}, sources);
  for (size_t i = 0; i < sources.size(); ++i) EXPECT_TRUE(torch::equal(plain[i], again[i])) << i;
}

TEST_F(CheckpointTest, BackwardFillsTheParametersGradients) {
  run({x_, c_}, true).sum().backward();
  for (const auto& item : block_->named_parameters()) {
    EXPECT_TRUE(item.value().grad().defined()) << item.key();
  }
}

// Between the passes nothing of the layer's inside is alive: only what the graph of one function
// holds, its inputs.
TEST_F(CheckpointTest, KeepsOnlyTheInputs) {
  std::weak_ptr<int> inside;
  const auto layer = [&inside](const Tensors& s) {
    const auto marker = std::make_shared<int>(0);
    inside = marker;
    torch::Tensor hidden = s[0] * 2;
    // A tensor whose memory owns the marker: alive exactly as long as the graph keeps it.
    const torch::Tensor owned = torch::from_blob(
        hidden.data_ptr(), hidden.sizes(), [marker, hidden](void*) {}, hidden.options());
    return owned * s[0];  // keeps `owned` for the gradient of s[0]
  };
  x_.requires_grad_(true);
  torch::nn::Module none;
  const torch::Tensor kept = layer({x_});
  EXPECT_FALSE(inside.expired());
  const torch::Tensor dropped = checkpointed(none, {x_}, layer);
  EXPECT_TRUE(inside.expired());
}

TEST_F(CheckpointTest, InputsWithoutGradientGetNone) {
  const torch::Tensor y = run({x_, c_}, true);
  y.sum().backward();
  EXPECT_FALSE(x_.grad().defined());
}

}  // namespace
}  // namespace roundtrip
