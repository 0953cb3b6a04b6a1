#include "roundtrip/rollout/surrogate.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/script.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/data/boundary.h"
#include "tests/support/error_of.h"
#include "tests/support/ramp_model.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

// A folder with a script that repeats the nearest frame.
class ScriptTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / "surrogate_test";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  SurrogateRequest script(int64_t contexts = 2) const {
    torch::jit::Module module("model");
    module.register_attribute("contexts", c10::IntType::get(), contexts);
    module.define(
        "def forward(self, window: Tensor, anchor: Tensor, target_index: Tensor, direction: "
        "Tensor) -> Tensor:\n    return window[:, -1]\n");
    module.save((folder_ / "model.pt").string());
    return {.model = (folder_ / "model.pt").string()};
  }
  DataConfig data() const {
    DataConfig config;
    config.path = folder_.string();
    return config;
  }

  std::filesystem::path folder_;
};

// A vector's components have numbers of their own, in their order.
TEST_F(ScriptTest, FieldsAreScaledByTheStatisticsOfTheData) {
  write_file(folder_ / "stats.yaml",
             "mean:\n  density: 1.0\n  velocity:\n  - 2.0\n  - 3.0\n"
             "std:\n  density: 2.0\n  velocity:\n  - 4.0\n  - 8.0\n");
  const RampDataset dataset(std::vector<std::string>{"density", "velocity_x", "velocity_y"});
  const Surrogate surrogate = open_surrogate(script(), data(), dataset);
  const torch::Tensor frames = dataset.read(Split::test, 0, 0, 1);
  const torch::Tensor latents = surrogate.codec->encode(frames);
  const double value = frames[0][0][1][2].item<double>();
  EXPECT_NEAR(latents[0][0][1][2].item<double>(), (value - 1) / 2, 1e-6);
  EXPECT_NEAR(latents[0][1][1][2].item<double>(), (value - 2) / 4, 1e-6);
  EXPECT_NEAR(latents[0][2][1][2].item<double>(), (value - 3) / 8, 1e-6);
  EXPECT_TRUE(torch::allclose(surrogate.codec->decode(latents), frames, 1e-6, 1e-5));
  EXPECT_EQ(surrogate.name, "model.pt");
}

TEST_F(ScriptTest, WithoutStatisticsTheTrainingSplitGivesThem) {
  const RampDataset dataset;
  const Surrogate surrogate = open_surrogate(script(), data(), dataset);
  torch::Tensor all =
      torch::cat({dataset.read(Split::train, 0, 0, 12), dataset.read(Split::train, 1, 0, 12)});
  const torch::Tensor latents = surrogate.codec->encode(all);
  EXPECT_NEAR(latents.mean().item<double>(), 0, 1e-5);
  EXPECT_NEAR(latents.std(/*unbiased=*/false).item<double>(), 1, 1e-5);
}

TEST_F(ScriptTest, MistakesAreOneLine) {
  const RampDataset dataset;
  const auto said = [&](const SurrogateRequest& request) {
    return error_of([&] { open_surrogate(request, data(), dataset); });
  };
  EXPECT_THAT(said(script(/*contexts=*/0)), HasSubstr("at least 1 context frame, found 0"));
  SurrogateRequest with_settings = script();
  with_settings.settings = {"sampler.steps=2"};
  EXPECT_THAT(said(with_settings), HasSubstr("no settings for a TorchScript model"));
  write_file(folder_ / "stats.yaml", "mean:\n  other: 1.0\nstd:\n  other: 2.0\n");
  EXPECT_THAT(said(script()), HasSubstr("expected statistics of height"));
}

// Calibrators of rollouts from other seed frames are another model's.
TEST_F(ScriptTest, TheFingerprintSaysHowManySeeds) {
  const RampDataset dataset;
  const Surrogate surrogate = open_surrogate(script(), data(), dataset);
  EXPECT_EQ(fingerprint_from(surrogate, 2), surrogate.fingerprint);
  EXPECT_NE(fingerprint_from(surrogate, 3), surrogate.fingerprint);
  EXPECT_NE(fingerprint_from(surrogate, 3), fingerprint_from(surrogate, 4));
}

// A convolutional model of the ramp's frames, its weights those of the seed.
Model convolutional_model() {
  Model model;
  ModelMetadata& metadata = model.metadata;
  metadata.layout = {"ramp", {"height"}, 3, 4};
  metadata.codec.network = "identity";
  metadata.scales = {{0}, {1}, identity_standardiser(1)};
  metadata.denoiser = {.network = "conv", .channels = {4}, .blocks = 1, .dilations = {1}};
  metadata.delta_std = {0.5};
  model.codec =
      std::make_shared<Codec>(make_codec_network(metadata.codec, {1, 3, 4}, 0), metadata.scales);
  model.predictor = std::make_shared<FramePredictor>(
      make_denoiser(metadata.denoiser, {{1, 3, 4}}, 0), metadata.diffusion, metadata.delta_std);
  return model;
}

// Calibrators are tied to the fingerprint: a setting that was renamed enters it by its first name.
TEST_F(ScriptTest, RenamedSettingsLeaveTheFingerprintAlone) {
  const Model model = convolutional_model();
  write_bundle(folder_ / "conv", model);
  ModelMetadata metadata = model.metadata;
  Settings settings("network");
  bind(metadata.denoiser, settings);
  bind(metadata.diffusion, settings);
  bind(metadata.scales, settings);
  settings.add("delta_std", metadata.delta_std, "");
  nlohmann::json network = toml_values(settings.to_toml());
  ASSERT_EQ(network["denoiser"].erase("layers"), 1);
  network["denoiser"]["depth"] = metadata.denoiser.layers;
  ASSERT_EQ(network["scales"].erase("collapsed"), 1);
  network["scales"]["dead"] = nlohmann::json::array();
  const Surrogate surrogate =
      open_surrogate({.model = (folder_ / "conv").string()}, {}, RampDataset());
  Sha256 sha;
  for (const std::string& part : {sha256_of_file(folder_ / "conv" / "codec.safetensors"),
                                  sha256_of_file(folder_ / "conv" / "denoiser.safetensors"),
                                  json_text(toml_values(surrogate.settings)),
                                  std::string("onward: first seed; return: turnaround frame"),
                                  json_text(network), boundary_names(metadata.layout.boundary)}) {
    sha.add(part + '\n');
  }
  EXPECT_EQ(surrogate.fingerprint, sha.digest());
}

}  // namespace
}  // namespace roundtrip
