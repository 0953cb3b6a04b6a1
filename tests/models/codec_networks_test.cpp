#include "roundtrip/models/codec_networks.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/optim/adam.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/settings.h"
#include "roundtrip/nn/init.h"
#include "roundtrip/nn/module_file.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

CodecConfig tiny(std::string_view network) {
  CodecConfig config;
  config.network = network;
  config.latent_channels = 2;
  config.stem = 4;
  config.widths = {4, 8};
  config.heads = 2;
  config.groups = 2;
  config.patch = 2;
  return config;
}

constexpr FrameShape kShape = {3, 8, 16};

// Weights by seed, also of networks that a user has to give weights to.
std::shared_ptr<CodecNetwork> started(std::string_view name, uint64_t seed) {
  const auto network = codec_network_of(tiny(name), kShape);
  network->initialise(seed);
  return network;
}

// What every network promises: shapes as it says, the same seed the same weights, finite numbers.
TEST(CodecNetworks, KeepTheirPromises) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor frames = keyed_normal({2, 3, 8, 16}, 1, "frames");
  for (const CodecNetworkRow& row : codec_networks()) {
    const auto network = started(row.name, 7);
    const FrameShape shape = network->latent_shape();
    const Posterior posterior = network->posterior(frames);
    EXPECT_EQ(posterior.mean.sizes(),
              torch::IntArrayRef({2, shape.channels, shape.height, shape.width}))
        << row.name;
    EXPECT_EQ(posterior.log_variance.sizes(), posterior.mean.sizes()) << row.name;
    const torch::Tensor decoded = network->decode(posterior.mean);
    EXPECT_EQ(decoded.sizes(), frames.sizes()) << row.name;
    EXPECT_TRUE(decoded.isfinite().all().item<bool>()) << row.name;
    EXPECT_EQ(network->frame_shape().channels, 3) << row.name;
    const auto twin = started(row.name, 7);
    EXPECT_TRUE(torch::equal(twin->decode(posterior.mean), decoded)) << row.name;
  }
}

TEST(CodecNetworks, WeightsComeFromAFileAndCanBeFrozen) {
  for (const std::string name : {"cvae", "autoencoder_kl"}) {
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) / ("codec_networks_" + name + ".safetensors");
    const auto written = make_codec_network(tiny(name), kShape, 7);
    write_tensors(path, named_tensors(*written));
    CodecConfig config = tiny(name);
    config.weights = path.string();
    config.frozen = true;
    const auto read = make_codec_network(config, kShape, 8);
    std::filesystem::remove(path);
    ASSERT_EQ(read->parameters().size(), written->parameters().size());
    for (size_t i = 0; i < read->parameters().size(); ++i) {
      EXPECT_TRUE(torch::equal(read->parameters()[i], written->parameters()[i]));
      EXPECT_FALSE(read->parameters()[i].requires_grad());
      EXPECT_TRUE(written->parameters()[i].requires_grad());
    }
  }
}

// A codec of published weights is nothing without them, and stays what they are.
TEST(CodecNetworks, PublishedWeightsAreGivenAndKept) {
  CodecConfig config = tiny("taesd");
  EXPECT_THAT(error_of([&] { make_codec_network(config, kShape, 0); }),
              HasSubstr("codec.weights: expected where the published weights of taesd are"));
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "codec_networks_taesd.safetensors";
  const auto written = started("taesd", 7);
  write_tensors(path, named_tensors(*written));
  config.weights = path.string();
  ASSERT_FALSE(config.frozen);
  const auto read = make_codec_network(config, kShape, 8);
  std::filesystem::remove(path);
  ASSERT_EQ(read->parameters().size(), written->parameters().size());
  for (size_t i = 0; i < read->parameters().size(); ++i) {
    EXPECT_TRUE(torch::equal(read->parameters()[i], written->parameters()[i]));
    EXPECT_FALSE(read->parameters()[i].requires_grad());
  }
  EXPECT_THAT(error_of([&] {
                make_codec_network(config, {6, 8, 16}, 0);
              }),
              HasSubstr("expected frames of 3 colours, found 6 fields"));
}

// A few steps of the loss on one batch: the gradients reach where they should.
TEST(CodecNetworks, TheLossFalls) {
  for (const std::string name : {"cvae", "autoencoder_kl"}) {
    const auto network = make_codec_network(tiny(name), kShape, 7);
    const FrameShape shape = network->latent_shape();
    const torch::Tensor frames = keyed_normal({2, 3, 8, 16}, 1, "frames");
    const torch::Tensor noise =
        keyed_normal({2, shape.channels, shape.height, shape.width}, 1, "noise");
    torch::optim::Adam optimiser(network->parameters(), torch::optim::AdamOptions(1e-2));
    double first = 0, last = 0;
    for (int step = 0; step < 10; ++step) {
      const CodecLoss loss = codec_loss(*network, frames, noise, 1e-4);
      optimiser.zero_grad();
      loss.total.backward();
      optimiser.step();
      last = loss.reconstruction.item<double>();
      if (step == 0) first = last;
    }
    EXPECT_LT(last, 0.9 * first) << name;
  }
}

TEST(CodecNetworks, SettingsReachTheConfig) {
  CodecConfig config;
  Settings settings("config");
  bind(config, settings);
  settings.read_toml("[codec]\nnetwork = 'identity'\nwidths = [8, 16]\nkl_weight = 1e-4\n");
  EXPECT_EQ(config.network, "identity");
  EXPECT_EQ(config.widths, (std::vector<int64_t>{8, 16}));
  EXPECT_EQ(config.kl_weight, 1e-4);
  EXPECT_THAT(error_of([&] { settings.read_override("codec.network=vqvae"); }), HasSubstr("cvae"));
  config.network = "vqvae";
  EXPECT_THAT(error_of([&] { make_codec_network(config, kShape, 0); }),
              HasSubstr("known: cvae, autoencoder_kl, identity, taesd"));
}

}  // namespace
}  // namespace roundtrip
