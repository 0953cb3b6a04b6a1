#include "roundtrip/train/train_config.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/models/cvae.h"
#include "roundtrip/models/diffusion_transformer.h"
#include "tests/data/data_folder.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string preset(const std::string& name) {
  return ROUNDTRIP_SOURCE_DIR "/configs/" + name + ".toml";
}

std::vector<fs::path> all_presets() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(ROUNDTRIP_SOURCE_DIR "/configs")) {
    files.push_back(entry.path());
  }
  return files;
}

// A preset at the paper's sizes: frames C x H x W, latents F x h x w, parameters.
struct Published {
  std::string name;
  FrameShape frame;
  FrameShape latent;
  int64_t denoiser, codec;
};

std::vector<Published> published() {
  return {{"mhd-paper", {6, 512, 512}, {24, 16, 16}, 29'014'240, 192'429'961},
          {"radiative_layer-paper", {4, 128, 384}, {64, 4, 12}, 29'057'408, 243'067'553},
          {"navier_stokes-paper", {1, 64, 64}, {8, 8, 8}, 28'940'448, 3'788'945}};
}

TEST(TrainConfig, PaperPresetsHaveThePapersDenoisers) {
  for (const Published& row : published()) {
    const TrainConfig config = read_train_config(preset(row.name), {});
    EXPECT_EQ(transformer_parameters(config.denoiser, row.latent), row.denoiser) << row.name;
  }
  const TrainConfig faces = read_train_config(preset("talking_head-paper"), {});
  EXPECT_EQ(transformer_parameters(faces.denoiser, {4, 32, 32}), 911'516'688);
}

TEST(TrainConfig, PaperPresetsHaveThePapersCodecs) {
  for (const Published& row : published()) {
    const CodecConfig codec = read_train_config(preset(row.name), {}).codec;
    ASSERT_EQ(codec.network, "cvae");
    const ConvStackSize size = count_parameters(cvae_options(codec, row.frame));
    EXPECT_EQ(size.encoder + size.decoder, row.codec) << row.name;
    const int64_t reduction = codec.patch << codec.widths.size();
    EXPECT_EQ((FrameShape{row.frame.channels * codec.latent_channels, row.frame.height / reduction,
                          row.frame.width / reduction}),
              row.latent)
        << row.name;
  }
  const TrainConfig faces = read_train_config(preset("talking_head-paper"), {});
  EXPECT_EQ(faces.codec.network, "autoencoder_kl");
  EXPECT_EQ(faces.codec.latent_channels, 4);
  EXPECT_EQ(faces.data.height >> (faces.codec.widths.size() - 1), 32);  // its last stage keeps size
}

TEST(TrainConfig, EveryPresetSurvivesItsOwnToml) {
  ASSERT_GE(all_presets().size(), 9);
  for (const fs::path& file : all_presets()) {
    ASSERT_EQ(file.extension(), ".toml");
    const std::string text = to_toml(read_train_config(file.string(), {}));
    TrainConfig again;
    Settings settings("again");
    bind(again, settings);
    settings.read_toml(text);
    EXPECT_EQ(to_toml(again), text) << file;
    EXPECT_NE(text, to_toml(TrainConfig())) << file;  // it says something
  }
}

// Presets are documentation: every line tells what it is.
TEST(TrainConfig, EveryLineOfAPresetIsCommented) {
  for (const fs::path& file : all_presets()) {
    std::istringstream lines(read_file(file));
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line.starts_with("[")) continue;
      EXPECT_THAT(line, HasSubstr("#")) << file;
    }
  }
}

TEST(TrainConfig, NoSettingIsBoundTwice) {
  TrainConfig config;
  Settings settings("train");
  bind(config, settings);
  std::vector<std::string> names;
  for (const Settings::Row& row : settings.rows()) names.push_back(row.name);
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(TrainConfig, OverridesComeAfterTheFile) {
  const TrainConfig config = read_train_config(
      preset("navier_stokes-small"),
      {"seed=5", "denoiser.width=96", "sampler.noise_key=target", "finetune.pushforward=2",
       "denoiser_training.p_bwd=1", "codec.bundle=elsewhere", "validation.depth=3"});
  EXPECT_EQ(config.seed, 5);
  EXPECT_EQ(config.denoiser.width, 96);
  EXPECT_EQ(config.noise_key, "target");
  EXPECT_EQ(config.finetune_sampling.pushforward, 2);
  EXPECT_EQ(config.sampling.p_bwd, 1);
  EXPECT_EQ(config.finetune_sampling.p_bwd, 0.5);  // each stage its own
  EXPECT_EQ(config.codec_bundle, "elsewhere");
  EXPECT_EQ(config.validation.depth, 3);
  EXPECT_EQ(config.denoiser.contexts, 10);  // of the file
}

class TrainConfigFile : public DataTest {};

TEST_F(TrainConfigFile, MistakesNameTheKey) {
  const auto error = [&](const std::string& text) {
    std::ofstream(path("a.toml")) << text;
    return error_of([&] { read_train_config(path("a.toml"), {}); });
  };
  EXPECT_EQ(error(""), "no error");
  EXPECT_THAT(error("[denoiser]\nwidht = 3\n"),
              AllOf(HasSubstr("denoiser.widht"), HasSubstr("did you mean denoiser.width?"),
                    HasSubstr("a.toml")));
  EXPECT_THAT(error("[denoiser_training]\np_bwd = 1.5\n"),
              HasSubstr("denoiser_training.p_bwd: expected between 0 and 1, found 1.5"));
  EXPECT_THAT(error("precision = \"half\"\n"),
              HasSubstr("precision: expected one of single, double, found half"));
  EXPECT_THAT(error("seed = -1\n"), HasSubstr("seed: expected at least 0"));
  EXPECT_THAT(error_of([&] { read_train_config(preset("mhd-small"), {"codec.stemm=3"}); }),
              HasSubstr("did you mean codec.stem?"));
  EXPECT_NE(error_of([&] { read_train_config(path("none.toml"), {}); }), "no error");
}

}  // namespace
}  // namespace roundtrip
