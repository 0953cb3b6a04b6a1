#include "roundtrip/models/denoiser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

constexpr FrameShape kLatent{3, 8, 12};

DenoiserConfig config_of(const std::string& toml) {
  DenoiserConfig config;
  Settings settings("model");
  bind(config, settings);
  settings.read_toml(toml);
  check_denoiser(config, {kLatent});
  return config;
}

// A setting that is bound is read: every row changes when its text does.
TEST(DenoiserConfig, EverySettingIsBoundOnce) {
  DenoiserConfig config;
  Settings settings("model");
  bind(config, settings);
  EXPECT_EQ(settings.rows().size(), 20);
  const DenoiserConfig read = config_of(settings.to_toml());
  EXPECT_EQ(read.dilations, config.dilations);
  EXPECT_EQ(read.padding, "data");
}

TEST(DenoiserConfig, EveryNetworkTakesEveryFrameAndStartsAtZero) {
  for (const DenoiserNetworkEntry& row : denoiser_networks()) {
    DenoiserConfig config{.network = std::string(row.name),
                          .contexts = 3,
                          .width = 8,
                          .layers = 1,
                          .heads = 2,
                          .condition_width = 8,
                          .frequencies = 8,
                          .channels = {4}};
    const auto network = make_denoiser(config, {kLatent}, 9);
    EXPECT_EQ(network->contexts(), 3);
    const auto [channels, height, width] = kLatent;
    const torch::Tensor frame = torch::ones({2, channels, height, width});
    const torch::Tensor numbers = torch::ones({2}, torch::kInt64);
    const torch::Tensor y = network->forward(frame, torch::ones({2, 3, channels, height, width}),
                                             frame, numbers, numbers, numbers);
    EXPECT_EQ(y.sizes(), frame.sizes()) << row.name;
    EXPECT_EQ(y.abs().max().item<float>(), 0) << row.name;
  }
}

TEST(DenoiserConfig, SizesThatDoNotFitAreErrors) {
  const auto on = [](const FrameShape& latent) {
    return error_of([&] { check_denoiser({}, {latent}); });
  };
  EXPECT_EQ(on({4, 8, 8}), "no error");
  EXPECT_THAT(
      on({4, 9, 9}),
      HasSubstr("patch: expected a divisor of the latent grid 9 x 9 (channels 4), found 2"));
  EXPECT_THAT(on({4, 8, 9}), HasSubstr("8 x 9"));
  EXPECT_THAT(error_of([] { config_of("[denoiser]\nheads = 7"); }),
              HasSubstr("heads: expected a divisor of the width 384, found 7"));
  EXPECT_THAT(error_of([] { config_of("[denoiser]\ncontext = \"token\""); }),
              HasSubstr("denoiser.context: expected one of tokens, channels, found token"));
  EXPECT_THAT(error_of([] { config_of("[denoiser]\nlayers = 0"); }),
              HasSubstr("denoiser.layers: expected at least 1, found 0"));
}

}  // namespace
}  // namespace roundtrip
