#include "roundtrip/models/denoiser_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

constexpr LatentShape kLatent{3, 8, 12};

DenoiserOptions options_of(const std::string& toml) {
  DenoiserConfig config;
  Settings settings("model");
  bind(config, settings);
  settings.read_toml(toml);
  return denoiser_options(config, kLatent, 9);
}

TEST(DenoiserConfig, EverySettingReachesTheNetwork) {
  const DenoiserOptions options = options_of(R"([denoiser]
contexts = 5
width = 60
depth = 3
heads = 5
condition_width = 7
patch = 4
mlp_ratio = 2
qk_norm = true
context = "channels"
positions = "sinusoidal"
checkpoint_activations = true
)");
  EXPECT_EQ(options.latent, kLatent);
  EXPECT_EQ(options.contexts, 5);
  EXPECT_EQ(options.width, 60);
  EXPECT_EQ(options.depth, 3);
  EXPECT_EQ(options.heads, 5);
  EXPECT_EQ(options.condition_width, 7);
  EXPECT_EQ(options.patch, 4);
  EXPECT_EQ(options.mlp_ratio, 2);
  EXPECT_TRUE(options.qk_norm);
  EXPECT_EQ(options.context, ContextMode::channels);
  EXPECT_EQ(options.positions, PositionStart::sinusoidal);
  EXPECT_TRUE(options.checkpoint_activations);
  EXPECT_EQ(options.seed, 9);
}

// A setting added later has to be added to the test above, too.
TEST(DenoiserConfig, HasElevenSettings) {
  DenoiserConfig config;
  Settings settings("model");
  bind(config, settings);
  EXPECT_EQ(settings.rows().size(), 11);
}

TEST(DenoiserConfig, DefaultsAreThoseOfTheNetwork) {
  const DenoiserOptions found = options_of(""), expected;
  EXPECT_EQ(found.contexts, expected.contexts);
  EXPECT_EQ(found.width, expected.width);
  EXPECT_EQ(found.depth, expected.depth);
  EXPECT_EQ(found.heads, expected.heads);
  EXPECT_EQ(found.condition_width, expected.condition_width);
  EXPECT_EQ(found.patch, expected.patch);
  EXPECT_EQ(found.mlp_ratio, expected.mlp_ratio);
  EXPECT_EQ(found.qk_norm, expected.qk_norm);
  EXPECT_EQ(found.context, expected.context);
  EXPECT_EQ(found.positions, expected.positions);
  EXPECT_EQ(found.checkpoint_activations, expected.checkpoint_activations);
}

TEST(DenoiserConfig, SizesThatDoNotFitAreErrors) {
  const auto on = [](const LatentShape& latent) {
    return error_of([&] { denoiser_options({}, latent, 0); });
  };
  EXPECT_EQ(on({4, 8, 8}), "no error");
  EXPECT_THAT(
      on({4, 9, 9}),
      HasSubstr("patch: expected a divisor of the latent grid 9 x 9 (channels 4), found 2"));
  EXPECT_THAT(on({4, 8, 9}), HasSubstr("8 x 9"));
  EXPECT_THAT(error_of([] { options_of("[denoiser]\nheads = 7"); }),
              HasSubstr("heads: expected a divisor of the width 384, found 7"));
  EXPECT_THAT(error_of([] { options_of("[denoiser]\ncontext = \"token\""); }),
              HasSubstr("denoiser.context: expected one of tokens, channels, found token"));
  EXPECT_THAT(error_of([] { options_of("[denoiser]\ndepth = 0"); }),
              HasSubstr("denoiser.depth: expected at least 1, found 0"));
}

}  // namespace
}  // namespace roundtrip
