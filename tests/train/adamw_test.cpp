#include "roundtrip/train/adamw.h"

#include <gtest/gtest.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/adamw.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/nn/init.h"

namespace roundtrip {
namespace {

torch::nn::Sequential small_network() {
  torch::nn::Sequential network(torch::nn::Linear(5, 7), torch::nn::Tanh(),
                                torch::nn::Linear(7, 3));
  network->to(torch::kFloat64);
  initialise(*network, 1);
  return network;
}

torch::Tensor loss_of(torch::nn::Sequential& network, uint64_t step) {
  const torch::Tensor x = keyed_normal({8, 5}, 2, "x", step, torch::kFloat64);
  return (network->forward(x) - x.narrow(1, 0, 3).sin()).square().mean();
}

// Torch's own AdamW is the independent implementation. Its decay touches every parameter, ours
// matrices only, so biases get a group without decay there.
TEST(AdamW, FollowsTorchs) {
  torch::nn::Sequential ours = small_network(), theirs = small_network();
  FlatParameters flat(*ours);
  AdamW optimizer(flat, {.weight_decay = 0.1, .clip = 0});
  std::vector<torch::Tensor> matrices, vectors;
  for (const auto& parameter : theirs->parameters()) {
    (parameter.dim() > 1 ? matrices : vectors).push_back(parameter);
  }
  const auto options = [](double decay) {
    return std::make_unique<torch::optim::AdamWOptions>(
        torch::optim::AdamWOptions(0.01).weight_decay(decay));
  };
  torch::optim::AdamW reference({torch::optim::OptimizerParamGroup(matrices, options(0.1)),
                                 torch::optim::OptimizerParamGroup(vectors, options(0.0))},
                                torch::optim::AdamWOptions(0.01));
  for (uint64_t step = 0; step < 20; ++step) {
    loss_of(ours, step).backward();
    optimizer.step(0.01, optimizer.gradient_norm());
    reference.zero_grad();
    loss_of(theirs, step).backward();
    reference.step();
  }
  for (size_t i = 0; i < ours->parameters().size(); ++i) {
    // Twenty steps of double precision arithmetic in another order.
    EXPECT_LT((ours->parameters()[i] - theirs->parameters()[i]).abs().max().item<double>(), 1e-13);
  }
}

// A gradient above the limit acts as its own direction at the limit's length.
TEST(AdamW, ClipsTheWholeGradient) {
  torch::nn::Sequential clipped = small_network(), scaled = small_network();
  FlatParameters flat_clipped(*clipped), flat_scaled(*scaled);
  AdamW first(flat_clipped, {.epsilon = 1, .clip = 0.01}), second(flat_scaled, {.epsilon = 1});
  loss_of(clipped, 0).backward();
  const double norm = first.gradient_norm();
  EXPECT_NEAR(norm, flat_clipped.gradients().norm().item<double>(), 1e-14);
  ASSERT_GT(norm, 0.01);
  flat_scaled.gradients().copy_(flat_clipped.gradients() * (0.01 / norm));
  first.step(0.1, norm);
  second.step(0.1, 0.01);
  EXPECT_LT((flat_clipped.values() - flat_scaled.values()).abs().max().item<double>(), 1e-16);
  EXPECT_EQ(flat_clipped.gradients().abs().max().item<double>(), 0);
}

// The average after t steps, written out as a sum over all weights seen.
TEST(AdamW, AveragesWeightsWithAGrowingMemory) {
  torch::nn::Sequential network = small_network();
  FlatParameters flat(*network);
  AdamW optimizer(flat, {.ema_decay = 0.3});
  torch::Tensor expected = flat.values().clone();
  for (uint64_t step = 0; step < 10; ++step) {
    loss_of(network, step).backward();
    optimizer.step(0.05, optimizer.gradient_norm());
    const double t = static_cast<double>(step + 1);
    const double memory = std::min(0.3, (1 + t) / (10 + t));
    expected = memory * expected + (1 - memory) * flat.values();
  }
  EXPECT_LT((optimizer.average() - expected).abs().max().item<double>(), 1e-15);
}

TEST(AdamW, ThreadsDoNotChangeAnything) {
  torch::Tensor results[2];
  const int before = torch::get_num_threads();
  for (int i = 0; i < 2; ++i) {
    torch::set_num_threads(1 + 2 * i);
    torch::nn::Linear module(600, 700);
    initialise(*module, 1);
    FlatParameters flat(*module);
    AdamW optimizer(flat, {});
    flat.gradients().copy_(keyed_normal(flat.gradients().sizes(), 3, "gradient"));
    optimizer.step(0.1, optimizer.gradient_norm());
    results[i] = flat.values().clone();
  }
  torch::set_num_threads(before);
  EXPECT_TRUE(torch::equal(results[0], results[1]));
}

}  // namespace
}  // namespace roundtrip
