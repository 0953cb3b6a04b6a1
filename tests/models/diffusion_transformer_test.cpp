#include "roundtrip/models/diffusion_transformer.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/nn/module_file.h"
#include "roundtrip/nn/transformer_block.h"
#include "tests/support/error_of.h"
#include "tests/support/finite_difference.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;
using Tensors = std::vector<torch::Tensor>;

using Network = std::shared_ptr<Denoiser>;

// The settings of a network and the frames it is for.
struct Sizes : DenoiserConfig {
  FrameShape latent;
};

Sizes sizes(const FrameShape& latent, const DenoiserConfig& config = {}) {
  return {config, latent};
}

Network build(const Sizes& o, uint64_t seed = 0) {
  return make_diffusion_transformer(o, o.latent, seed);
}

// SMALL of tests/reference/denoiser.py.
Sizes small() {
  return sizes({3, 4, 6}, {.contexts = 2,
                           .width = 16,
                           .layers = 2,
                           .heads = 2,
                           .condition_width = 12,
                           .frequencies = 32});
}

// noised, context, anchor, k, t, direction
Tensors inputs(const Sizes& o, int64_t batch = 2, torch::ScalarType type = torch::kFloat32) {
  const auto [channels, height, width] = o.latent;
  const torch::Tensor one = torch::ones({(batch + 1) / 2}, torch::kInt64);
  const auto pairs = [&](int64_t a, int64_t b) {
    return torch::stack({a * one, b * one}, /*dim=*/1).flatten().slice(0, 0, batch);
  };
  return {wave({batch, channels, height, width}, 0.1, type),
          wave({batch, o.contexts, channels, height, width}, 0.2, type),
          wave({batch, channels, height, width}, 0.3, type),
          pairs(7, 900),
          pairs(3, 50),
          pairs(1, -1)};
}

torch::Tensor call(const Network& network, const Tensors& s) {
  return network->forward(s[0], s[1], s[2], s[3], s[4], s[5]);
}

// w = 0.3 sin(1 + 0.37 i + 0.11 j), i the element, j the parameter in order of names.
void fill(const Network& network) {
  const torch::NoGradGuard no_grad;
  double j = 0;
  for (auto& [name, tensor] : named_tensors(*network)) {
    const torch::Tensor i = torch::arange(tensor.numel(), torch::kFloat64);
    tensor.copy_((0.3 * torch::sin(1 + 0.37 * i + 0.11 * j)).view(tensor.sizes()));
    ++j;
  }
}

Network filled(const Sizes& options) {
  const Network network = build(options);
  fill(network);
  return network;
}

struct Golden {
  std::string name;
  Sizes options;
  std::vector<double> numbers;  // mean, largest, and four places; printed by denoiser.py
};

std::vector<Golden> golden() {
  std::vector<Golden> cases = {
      {"tokens",
       small(),
       {-0.49722862, 1.71629834, 0.99220407, 0.44212520, -1.04530215, -0.21596546}},
      {"channels",
       small(),
       {-0.46327477, 1.57916653, 0.92961049, 0.39882305, -0.99649632, -0.22885366}},
      {"qk_norm",
       small(),
       {-0.65117041, 2.20628738, 1.26728702, 0.56795347, -1.40406537, -0.28892976}},
      {"patch 1, n = 1",
       small(),
       {-0.01793387, 1.03985810, 1.03985810, -0.31961066, -0.42860165, -0.32398209}},
  };
  cases[1].options.context = "channels";
  cases[2].options.qk_norm = true;
  cases[3].options.patch = 1;
  cases[3].options.contexts = 1;
  return cases;
}

TEST(DiffusionTransformer, IsTheReferenceInPython) {
  for (const Golden& golden : golden()) {
    const Network network = filled(golden.options);
    const torch::Tensor y = call(network, inputs(golden.options)).to(torch::kFloat64);
    const torch::Tensor found = torch::stack(
        {y.mean(), y.abs().max(), y[0][0][0][0], y[0][2][3][5], y[1][1][2][1], y[1][2][0][4]});
    EXPECT_LT((found - torch::tensor(golden.numbers, torch::kFloat64)).abs().max().item<double>(),
              1e-5)  // float rounding through two blocks; every input matters at 1e-3 or more
        << golden.name;
  }
}

std::string options_json(const Sizes& o) {
  return fmt::format(
      R"({{"channels":{},"height":{},"grid_width":{},"contexts":{},"width":{},"depth":{},"heads":{},)"
      R"("condition_width":{},"patch":{},"mlp_ratio":{},"qk_norm":{},"context":"{}",)"
      R"("frequencies":{}}})",
      o.latent.channels, o.latent.height, o.latent.width, o.contexts, o.width, o.layers, o.heads,
      o.condition_width, o.patch, o.mlp_ratio, o.qk_norm, o.context, o.frequencies);
}

// Weights through a file, the whole output compared by the script. Needs PyTorch for Python.
TEST(DiffusionTransformer, WholeOutputIsPythonsSlow) {
  if (std::system("/usr/bin/python3 -c 'import torch' 2>/dev/null") != 0) {
    GTEST_SKIP() << "no PyTorch for /usr/bin/python3";
  }
  const auto path = std::filesystem::path(testing::TempDir()) / "denoiser_compare.safetensors";
  for (const Golden& golden : golden()) {
    const Network network = filled(golden.options);
    const Tensors given = inputs(golden.options);
    NamedTensors tensors = named_tensors(*network);
    const std::vector<std::string> names = {"noised", "context", "anchor", "k", "t", "direction"};
    for (size_t i = 0; i < names.size(); ++i) tensors["input." + names[i]] = given[i];
    tensors["output"] = call(network, given).detach();
    write_tensors(path, tensors, {{"options", options_json(golden.options)}});
    const std::string command = fmt::format(
        "/usr/bin/python3 {}/tests/reference/denoiser.py "
        "compare {}",
        ROUNDTRIP_SOURCE_DIR, path.string());
    EXPECT_EQ(std::system(command.c_str()), 0) << golden.name;
  }
  std::filesystem::remove(path);
}

// The paper's totals, rounded there to 29 M (three times) and 912 M. They fit biases everywhere,
// 256 sinusoidal features, and a qk-norm without weights (with them: 911,524,880).
TEST(TransformerParameters, ThePapersSizes) {
  const DenoiserConfig faces{
      .width = 2048, .layers = 16, .heads = 16, .condition_width = 512, .qk_norm = true};
  EXPECT_EQ(transformer_parameters({.contexts = 2}, {24, 16, 16}), 29'014'240);
  EXPECT_EQ(transformer_parameters({.contexts = 2}, {64, 4, 12}), 29'057'408);
  EXPECT_EQ(transformer_parameters({.contexts = 10}, {8, 8, 8}), 28'940'448);
  EXPECT_EQ(transformer_parameters(faces, {4, 32, 32}), 911'516'688);
}

TEST(TransformerParameters, AreTheBuiltNetworks) {
  for (const Golden& golden : golden()) {
    int64_t count = 0;
    for (const torch::Tensor& parameter : build(golden.options)->parameters()) {
      count += parameter.numel();
    }
    EXPECT_EQ(count, transformer_parameters(golden.options, golden.options.latent)) << golden.name;
  }
}

// GFLOP per call of the requirements' table.
TEST(TransformerFlops, ThePapersSizes) {
  EXPECT_NEAR(transformer_flops({.contexts = 2}, {24, 16, 16}) * 1e-9, 12.12, 0.005);
  EXPECT_NEAR(transformer_flops({.contexts = 2}, {64, 4, 12}) * 1e-9, 2.108, 0.0005);
  EXPECT_NEAR(transformer_flops({.contexts = 10}, {8, 8, 8}) * 1e-9, 8.853, 0.0005);
}

TEST(DiffusionTransformer, StartsAtZeroWithIdentityBlocks) {
  const Network network = build(small());
  EXPECT_EQ(call(network, inputs(small())).abs().max().item<float>(), 0);
  for (const auto& item : network->named_modules()) {
    const auto block = std::dynamic_pointer_cast<TransformerBlockImpl>(item.value());
    if (!block) continue;
    const torch::Tensor x = wave({2, 5, 16}, 0.1, torch::kFloat32);
    EXPECT_TRUE(torch::equal(block->forward(x, wave({2, 12}, 0.2, torch::kFloat32), 5), x));
  }
}

TEST(DiffusionTransformer, WeightsStartByTheSeedAlone) {
  torch::manual_seed(1);
  const Network first = build(small());
  torch::manual_seed(2);
  const Network second = build(small()), other = build(small(), 5);
  const NamedTensors a = named_tensors(*first), b = named_tensors(*second);
  for (const auto& [name, tensor] : a) EXPECT_TRUE(torch::equal(tensor, b.at(name))) << name;
  EXPECT_FALSE(
      torch::equal(a.at("position_embedding"), named_tensors(*other).at("position_embedding")));
  // 0.02 N(0, 1) over 24 tokens of 16: the sample's spread is within 5 sigma = 0.18 of it.
  EXPECT_NEAR(a.at("position_embedding").std().item<double>(), 0.02, 0.0036);
}

TEST(DiffusionTransformer, SinusoidalPositionsRepeatPerFrameButForTheRole) {
  Sizes options = small();
  options.positions = "sinusoidal";
  const torch::Tensor positions =
      named_tensors(*build(options)).at("position_embedding").view({4, 6, 16});
  const torch::Tensor between = positions[1] - positions[3];  // one offset for all places
  EXPECT_TRUE(torch::allclose(between, between[0].expand({6, 16}), 0, 1e-6));
  EXPECT_GT(between[0].abs().max().item<float>(), 0.01);
  options.context = "channels";
  EXPECT_EQ(named_tensors(*build(options)).at("position_embedding").size(0), 6);
}

TEST(DiffusionTransformer, EveryInputMatters) {
  for (const std::string mode : {"tokens", "channels"}) {
    Sizes options = small();
    options.context = mode;
    const Network network = filled(options);
    const torch::NoGradGuard no_grad;
    const Tensors given = inputs(options);
    const torch::Tensor before = call(network, given);
    const auto change = [&](size_t i, const torch::Tensor& value) {
      Tensors changed = given;
      changed[i] = value;
      return relative_difference(call(network, changed), before);
    };
    EXPECT_GT(change(0, given[0].flip(3)), 1e-3);
    EXPECT_GT(change(1, given[1].flip(1)), 1e-3) << "order of contexts";
    EXPECT_GT(change(1, given[1] + 1), 1e-3);
    EXPECT_GT(change(2, given[2] + 1), 1e-3);
    EXPECT_GT(change(3, given[3] + 1), 1e-3);
    EXPECT_GT(change(4, given[4] + 1), 1e-3);
    EXPECT_GT(change(5, -given[5]), 1e-3);
  }
}

TEST(DiffusionTransformer, RowsOfABatchAreIndependent) {
  Sizes options = small();
  const Network network = filled(options);
  const Tensors given = inputs(options, 5);
  const torch::Tensor together = call(network, given);
  for (int64_t row = 0; row < 5; ++row) {
    Tensors one;
    for (const torch::Tensor& tensor : given) one.push_back(tensor.slice(0, row, row + 1));
    // Matrix products of another height may sum in another order.
    EXPECT_LT(relative_difference(call(network, one), together.slice(0, row, row + 1)), 1e-5);
  }
}

TEST(DiffusionTransformer, GradientsAreDifferences) {
  for (const std::string mode : {"tokens", "channels"}) {
    const Sizes options = sizes({2, 2, 4}, {.contexts = 1,
                                            .width = 8,
                                            .layers = 2,
                                            .heads = 2,
                                            .condition_width = 6,
                                            .mlp_ratio = 2,
                                            .qk_norm = true,
                                            .context = mode,
                                            .frequencies = 8});
    const Network network = build(options);
    network->to(torch::kFloat64);
    fill_by_wave(*network, 0.3);
    const Tensors given = inputs(options, 2, torch::kFloat64);
    expect_gradients(
        [&](const Tensors& s) {
          return network->forward(s[0], s[1], s[2], given[3], given[4], given[5]);
        },
        with_parameters({given[0], given[1], given[2]}, *network), /*stride=*/7);
  }
}

TEST(DiffusionTransformer, WindowsOfOneTwoAndTenOnARectangle) {
  for (const int64_t contexts : {1, 2, 10}) {
    for (const std::string mode : {"tokens", "channels"}) {
      Sizes options = small();
      options.latent = {5, 4, 12};
      options.contexts = contexts;
      options.context = mode;
      const Network network = filled(options);
      const torch::Tensor y = call(network, inputs(options, 3));
      EXPECT_EQ(y.sizes(), torch::IntArrayRef({3, 5, 4, 12}));
      EXPECT_GT(y.std().item<double>(), 1e-3);
      EXPECT_EQ(transformer_tokens(options, options.latent),
                12 * (mode == "tokens" ? contexts + 2 : 1));
    }
  }
}

TEST(DiffusionTransformer, CheckpointsChangeNoBit) {
  Sizes options = small();
  const Network plain = filled(options);
  options.checkpoint_activations = true;
  const Network saving = filled(options);
  const Tensors given = inputs(options);
  const torch::Tensor a = call(plain, given), b = call(saving, given);
  EXPECT_TRUE(torch::equal(a, b));
  a.square().sum().backward();
  b.square().sum().backward();
  const auto names = plain->named_parameters(), others = saving->named_parameters();
  for (const auto& item : names) {
    EXPECT_TRUE(torch::equal(item.value().grad(), others[item.key()].grad())) << item.key();
  }
}

TEST(DiffusionTransformer, WithoutGradientsTheSameBits) {
  const Network network = filled(small());
  const Tensors given = inputs(small());
  const torch::Tensor recorded = call(network, given);
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(torch::equal(call(network, given), recorded));
}

TEST(DiffusionTransformer, SizesThatDoNotFitAreRefused) {
  const auto refusal = [](const std::function<void(Sizes&)>& change) {
    Sizes options = small();
    change(options);
    return error_of([&] { build(options); });
  };
  EXPECT_THAT(refusal([](auto& o) { o.latent.width = 5; }),
              HasSubstr("[denoiser] patch: expected a divisor of the latent grid 4 x 5"));
  EXPECT_THAT(refusal([](auto& o) { o.heads = 3; }),
              HasSubstr("heads: expected a divisor of the width 16, found 3"));
  EXPECT_THAT(refusal([](auto& o) { o.contexts = 0; }),
              HasSubstr("contexts: expected at least 1, found 0"));
  EXPECT_THAT(refusal([](auto& o) { o.frequencies = 3; }), HasSubstr("frequencies"));
  EXPECT_THAT(refusal([](auto& o) { o.layers = 0; }), HasSubstr("layers 0"));
  EXPECT_THAT(refusal([](auto& o) {
                o.width = 18;
                o.positions = "sinusoidal";
              }),
              HasSubstr("multiple of 4"));
}

TEST(Choices, AreFoundByName) {
  EXPECT_EQ(find_row(context_modes(), "context", "channels").value, ContextMode::channels);
  EXPECT_THAT(error_of([] { find_row(position_inits(), "positions", "sinusoidl"); }),
              HasSubstr("sinusoidal"));
}

}  // namespace
}  // namespace roundtrip
