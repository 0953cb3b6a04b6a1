#include "roundtrip/models/bundle.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/diffusion/samplers.h"
#include "roundtrip/nn/init.h"
#include "roundtrip/nn/module_file.h"
#include "tests/data/data_folder.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kFiles[] = {"model.toml", "codec.safetensors", "denoiser.safetensors"};

// Facts that differ from every default; the numbers have no short decimal form.
ModelMetadata metadata_of(const std::string& network) {
  const size_t channels = network == "cvae" ? 4 : 2;
  ModelMetadata metadata;
  metadata.layout = {"example", {"density", "velocity_x"}, 8, 8};
  metadata.data.stride = 3;
  metadata.data.rate = 100.0 / 7;
  metadata.data.split_seed = 5;
  metadata.codec = {.network = network,
                    .latent_channels = 2,
                    .stem = 4,
                    .widths = {4},
                    .blocks = 2,
                    .heads = 2,
                    .groups = 2,
                    .patch = 2,
                    .kl_weight = 1.0 / 7,
                    .weights = "",
                    .frozen = true};
  metadata.scales.field_mean = {1.0 / 3, -2e-9};
  metadata.scales.field_std = {34.8, 1.0 / 17};
  metadata.scales.latent.shift.assign(channels, 0.1);
  metadata.scales.latent.scale.assign(channels, 2.0 / 3);
  metadata.scales.latent.collapsed = {1};
  metadata.denoiser = {.contexts = 3,
                       .width = 8,
                       .layers = 1,
                       .heads = 2,
                       .condition_width = 4,
                       .patch = 1,
                       .mlp_ratio = 2,
                       .qk_norm = true,
                       .context = "channels",
                       .positions = "sinusoidal"};
  metadata.diffusion = {.steps = 50, .prediction = "v", .target = "delta", .weight = "flat"};
  metadata.sampler = {.name = "ddim", .steps = 7, .spacing = "trailing"};
  metadata.noise_key = "direction";
  metadata.noise_seed = 12;
  metadata.delta_std.assign(channels, 1.0 / 9);
  metadata.split_rule = "every \"third\" file\\ is 10 % tést";
  metadata.provenance = R"({"version": "0.1", "config": "a = 1\n"})";
  return metadata;
}

// `network` of the codec; "conv" is the convolutional denoiser on the fields themselves.
Model make_model(const std::string& network, uint64_t seed = 1) {
  Model model;
  model.metadata = metadata_of(network == "conv" ? "identity" : network);
  if (network == "conv") {
    model.metadata.layout.boundary = {Boundary::periodic, Boundary::wall};
    model.metadata.denoiser = {.network = "conv",
                               .contexts = 3,
                               .condition_width = 4,
                               .frequencies = 8,
                               .channels = {4},
                               .dilations = {1, 3}};
    model.metadata.diffusion.input = "estimate";
    model.metadata.diffusion.levels = "sampled";
  }
  const ModelMetadata& metadata = model.metadata;
  const auto codec = make_codec_network(metadata.codec, {2, 8, 8}, seed);
  model.codec = std::make_shared<Codec>(codec, metadata.scales);
  const auto denoiser = make_denoiser(
      metadata.denoiser, {model.codec->latent_shape(), metadata.layout.boundary}, seed);
  initialise(*denoiser, seed);  // else it returns zeros
  model.predictor =
      std::make_shared<FramePredictor>(denoiser, metadata.diffusion, metadata.delta_std);
  return model;
}

void expect_same_metadata(const ModelMetadata& a, const ModelMetadata& b) {
  const auto toml = [](ModelMetadata metadata) {
    Settings settings("metadata");
    bind(metadata.data, settings);
    bind(metadata.codec, settings);
    bind(metadata.scales, settings);
    bind(metadata.denoiser, settings);
    bind(metadata.diffusion, settings);
    bind(metadata.sampler, settings);
    return settings.to_toml();
  };
  EXPECT_EQ(toml(a), toml(b));
  EXPECT_EQ(a.layout, b.layout);
  EXPECT_EQ(a.noise_key, b.noise_key);
  EXPECT_EQ(a.noise_seed, b.noise_seed);
  EXPECT_EQ(a.delta_std, b.delta_std);
  EXPECT_EQ(a.split_rule, b.split_rule);
  EXPECT_EQ(a.provenance, b.provenance);
  EXPECT_EQ(a.scales.field_mean, b.scales.field_mean);
  EXPECT_EQ(a.scales.field_std, b.scales.field_std);
  EXPECT_EQ(a.scales.latent.shift, b.scales.latent.shift);
  EXPECT_EQ(a.scales.latent.scale, b.scales.latent.scale);
  EXPECT_EQ(a.scales.latent.collapsed, b.scales.latent.collapsed);
}

void expect_same_weights(const torch::nn::Module& a, const torch::nn::Module& b) {
  const NamedTensors first = named_tensors(a), second = named_tensors(b);
  ASSERT_EQ(first.size(), second.size());
  for (const auto& [name, tensor] : first) {
    ASSERT_TRUE(second.contains(name)) << name;
    EXPECT_TRUE(torch::equal(tensor, second.at(name))) << name;
  }
}

torch::Tensor prediction_of(Model& model) {
  const auto [channels, height, width] = model.codec->latent_shape();
  const auto sampler = make_sampler(model.metadata.sampler, model.predictor->schedule());
  return model.predictor->predict(
      {keyed_normal({1, 3, channels, height, width}, 1, "context"),
       keyed_normal({1, channels, height, width}, 1, "anchor"),
       torch::tensor(std::vector<int64_t>{4}), torch::tensor(std::vector<int64_t>{-1})},
      *sampler, keyed_normal({1, channels, height, width}, 1, "start"));
}

class BundleTest : public DataTest {
 protected:
  std::string bundle(const std::string& name, const std::string& network = "cvae",
                     uint64_t seed = 1) const {
    write_bundle(path(name), make_model(network, seed));
    return path(name);
  }
  // Bypasses AtomicFile: this is damage.
  static void damage(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  }
  static std::string error_reading(const std::string& folder) {
    return error_of([&] { read_bundle(folder); });
  }
};

TEST_F(BundleTest, GivesBackTheModelBitForBit) {
  for (const std::string network : {"identity", "cvae", "conv"}) {
    Model written = make_model(network);
    write_bundle(path(network), written);
    EXPECT_TRUE(is_bundle(path(network)));
    Model read = read_bundle(path(network));
    expect_same_metadata(read.metadata, written.metadata);
    expect_same_weights(read.codec->network(), written.codec->network());
    expect_same_weights(read.predictor->denoiser(), written.predictor->denoiser());
    EXPECT_EQ(read.codec->live_channels(), written.codec->live_channels());

    const torch::Tensor frames = keyed_normal({2, 2, 8, 8}, 1, "frames");
    EXPECT_TRUE(torch::equal(read.codec->encode(frames), written.codec->encode(frames)));
    EXPECT_TRUE(torch::equal(prediction_of(read), prediction_of(written)));
    EXPECT_GT(prediction_of(read).abs().max().item<double>(), 0);
  }
}

// Half precision keeps 11 bits: every weight within 2^-11 of itself (these are no smaller than the
// least normal one), and reading what was rounded rounds no further.
TEST_F(BundleTest, HalfPrecisionRoundsWeightsOnce) {
  Model written = make_model("cvae");
  write_bundle(path("half"), written, /*half=*/true);
  write_bundle(path("whole"), written);
  EXPECT_LT(std::filesystem::file_size(path("half") + "/denoiser.safetensors"),
            0.6 * static_cast<double>(
                      std::filesystem::file_size(path("whole") + "/denoiser.safetensors")));
  Model read = read_bundle(path("half"));
  const NamedTensors rounded = named_tensors(read.predictor->denoiser());
  for (const auto& [name, weight] : named_tensors(written.predictor->denoiser())) {
    EXPECT_TRUE(torch::allclose(rounded.at(name), weight, /*rtol=*/std::pow(2.0, -11),
                                /*atol=*/std::pow(2.0, -25)))
        << name;
  }
  write_bundle(path("again"), read, /*half=*/true);
  for (const char* file : kFiles) {
    EXPECT_EQ(read_file(path("half") + "/" + file), read_file(path("again") + "/" + file)) << file;
  }
}

TEST_F(BundleTest, TheSameModelGivesTheSameBytes) {
  for (const std::string network : {"identity", "cvae"}) {
    const std::string a = bundle(network + "a", network), b = bundle(network + "b", network);
    write_bundle(path("again"), read_bundle(a));
    for (const char* file : kFiles) {
      const auto bytes = [&](const std::string& folder) {
        return read_file(std::filesystem::path(folder) / file);
      };
      EXPECT_EQ(bytes(a), bytes(b)) << file;
      EXPECT_EQ(bytes(a), bytes(path("again"))) << file;
    }
  }
  EXPECT_NE(read_file(path("cvaea") + "/model.toml"),
            read_file(bundle("other", "cvae", 2) + "/model.toml"));
}

TEST_F(BundleTest, TheCodecAloneNeedsNoDenoiser) {
  const std::string folder = bundle("a");
  std::filesystem::remove(folder + "/denoiser.safetensors");
  ModelMetadata metadata;
  const auto codec = read_bundle_codec(folder, metadata);
  expect_same_metadata(metadata, metadata_of("cvae"));
  expect_same_weights(codec->network(), make_model("cvae").codec->network());
  EXPECT_THAT(error_reading(folder), HasSubstr("denoiser.safetensors: cannot be read"));
}

// Weights a training began from are not needed any more, and may be gone.
TEST_F(BundleTest, TheFileTheCodecStartedFromIsNotRead) {
  Model model = make_model("cvae");
  model.metadata.codec.weights = path("gone.safetensors");
  write_bundle(path("a"), model);
  EXPECT_EQ(error_reading(path("a")), "no error");
  EXPECT_EQ(read_bundle(path("a")).metadata.codec.weights, model.metadata.codec.weights);
}

TEST_F(BundleTest, AFolderWithoutModelTomlIsNone) {
  const std::string folder = bundle("a");
  std::filesystem::remove(folder + "/model.toml");
  EXPECT_FALSE(is_bundle(folder));
  EXPECT_THAT(error_reading(folder), AllOf(HasSubstr("expected a folder with model.toml"),
                                           HasSubstr(folder), Not(HasSubstr("\n"))));
}

TEST_F(BundleTest, ANewerFormatSaysSo) {
  const std::string folder = bundle("a");
  std::string text = read_file(folder + "/model.toml");
  ASSERT_TRUE(text.starts_with("format = 3"));
  // Keys of a newer format are unknown here; the version is told, not the key.
  text.replace(0, 10, "dream = 3\nformat = 4");
  damage(folder + "/model.toml", text);
  EXPECT_THAT(error_reading(folder), AllOf(HasSubstr("expected format 3, found 4"),
                                           HasSubstr("newer"), Not(HasSubstr("\n"))));
}

// model.toml without a table, as one of an older format.
std::string without_table(const std::string& text, const std::string& table, int64_t format) {
  const size_t begin = text.find("\n[" + table + "]\n"), end = text.find("\n[", begin + 1);
  EXPECT_NE(end, std::string::npos);
  std::string kept = text.substr(0, begin) + text.substr(end);
  const size_t coordinates = kept.find("\ncoordinates = ");  // came with format 3, as the data's
  EXPECT_NE(coordinates, std::string::npos);
  if (format < 3) kept.erase(coordinates, kept.find('\n', coordinates + 1) - coordinates);
  const size_t line = kept.find('\n');
  return "format = " + std::to_string(format) + kept.substr(line);
}

// Before format 3 the settings of the data stood only in the text of the training's settings.
TEST_F(BundleTest, OlderFormatsHaveTheSettingsOfTheirDataInTheProvenance) {
  Model model = make_model("cvae");
  model.metadata.provenance =
      R"({"config": "seed = 4\n[data]\npath = \"gone\"\nstride = 7  # every\nrate = 12.5\ntrain_limit = 2\n[denoiser]\nunknown = 3\n"})";
  write_bundle(path("a"), model);
  EXPECT_EQ(read_bundle_metadata(path("a")).data.stride, 3);  // its own line
  const std::string text = read_file(path("a") + "/model.toml");
  damage(path("a") + "/model.toml", without_table(text, "data", 2));
  const DataConfig data = read_bundle_metadata(path("a")).data;
  EXPECT_EQ(data.stride, 7);
  EXPECT_EQ(data.rate, 12.5);
  EXPECT_EQ(data.split_seed, 0);
  EXPECT_EQ(data.path, "");  // the caller's, like the limits
  EXPECT_EQ(data.train_limit, 0);
  // In a file of today the same lines missing are damage; in an older one, there, too.
  damage(path("a") + "/model.toml", without_table(text, "data", 3));
  EXPECT_THAT(error_reading(path("a")), HasSubstr("expected a value for data.stride"));
  damage(path("a") + "/model.toml", "format = 2" + text.substr(text.find('\n')));
  EXPECT_THAT(error_reading(path("a")), HasSubstr("expected no data.stride in format 2"));
}

TEST_F(BundleTest, SettingsOfOlderBundlesGoByTheirFormerNames) {
  Model model = make_model("cvae");
  write_bundle(path("a"), model);
  std::string text = without_table(read_file(path("a") + "/model.toml"), "data", 2);
  for (const auto& [now, former] :
       {std::pair("\nlayers = ", "\ndepth = "), std::pair("\ncollapsed = ", "\ndead = ")}) {
    const size_t at = text.find(now);
    ASSERT_NE(at, std::string::npos) << now;
    text.replace(at, std::string(now).size(), former);
  }
  damage(path("a") + "/model.toml", text);
  ASSERT_EQ(error_reading(path("a")), "no error");
  const ModelMetadata read = read_bundle_metadata(path("a"));
  EXPECT_EQ(read.denoiser.layers, model.metadata.denoiser.layers);
  EXPECT_EQ(read.scales.latent.collapsed, model.metadata.scales.latent.collapsed);
}

// The first format had one network and knew no boundaries; its files are read as what they were.
TEST_F(BundleTest, TheFirstFormatIsRead) {
  const std::string folder = bundle("a");
  std::istringstream lines(without_table(read_file(folder + "/model.toml"), "data", 1));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const auto is = [&](const char* key) { return line.starts_with(std::string(key) + " = "); };
    if (is("boundary") || is("network") || is("frequencies") || is("time_index") ||
        is("channels") || is("blocks") || is("dilations") || is("anchor") || is("padding") ||
        is("input") || is("levels")) {
      // Lines of the same name that are older: fields, and the codec's own.
      const bool older = line.find("fields, in channel order") != std::string::npos ||
                         line.find("turns frames into latents") != std::string::npos ||
                         line.find("residual blocks per stage") != std::string::npos;
      if (!older) continue;
    }
    text += line + "\n";
  }
  damage(folder + "/model.toml", text);
  ASSERT_EQ(error_reading(folder), "no error");
  Model read = read_bundle(folder), written = make_model("cvae");
  EXPECT_EQ(read.metadata.denoiser.network, "dit");
  EXPECT_TRUE(torch::equal(prediction_of(read), prediction_of(written)));
  damage(folder + "/model.toml", "boundary = \"periodic,periodic\"\n" + text);
  EXPECT_THAT(error_reading(folder), HasSubstr("expected no boundary in format 1"));
  // In a file of today the same line missing is damage.
  text.replace(0, 10, "format = 2");
  damage(folder + "/model.toml", text);
  EXPECT_THAT(error_reading(folder), HasSubstr("the file is damaged"));
}

TEST_F(BundleTest, AnUnknownKeyIsNamed) {
  const std::string folder = bundle("a");
  const std::string text = read_file(folder + "/model.toml");
  damage(folder + "/model.toml", "noise_sead = 3\n" + text);
  EXPECT_THAT(error_reading(folder), AllOf(HasSubstr("noise_sead"), HasSubstr("noise_seed"),
                                           HasSubstr("model.toml"), Not(HasSubstr("\n"))));
}

TEST_F(BundleTest, AFlippedBitInWeightsIsFound) {
  const std::string folder = bundle("a");
  for (const char* name : {"codec.safetensors", "denoiser.safetensors"}) {
    const std::filesystem::path file = std::filesystem::path(folder) / name;
    const std::string bytes = read_file(file);
    // The header's length, the header, the first and last weights.
    for (const size_t place : {size_t{0}, size_t{30}, bytes.size() / 2, bytes.size() - 1}) {
      std::string flipped = bytes;
      flipped[place] = static_cast<char>(flipped[place] ^ 1);
      damage(file, flipped);
      EXPECT_THAT(error_reading(folder),
                  AllOf(HasSubstr(name), HasSubstr("damaged or belongs to another bundle"),
                        Not(HasSubstr("\n"))))
          << place;
    }
    damage(file, bytes);
  }
  EXPECT_EQ(error_reading(folder), "no error");
}

TEST_F(BundleTest, WeightsOfAnotherBundleAreRefused) {
  for (const char* name : {"codec.safetensors", "denoiser.safetensors"}) {
    const std::string a = bundle("a", "cvae", 1), b = bundle("b", "cvae", 2);
    std::filesystem::copy_file(b + "/" + name, a + "/" + name,
                               std::filesystem::copy_options::overwrite_existing);
    EXPECT_THAT(error_reading(a), AllOf(HasSubstr(name), HasSubstr("belongs to another bundle")));
  }
}

// The digests stand last, so that no piece of the file passes for the whole.
TEST_F(BundleTest, AModelTomlCutShortIsFound) {
  const std::string folder = bundle("a", "identity");
  const std::string text = read_file(folder + "/model.toml");
  const size_t end = text.rfind('"');  // of the last digest
  for (size_t size = 0; size <= end; size += size + 40 < end ? 37 : 1) {
    damage(folder + "/model.toml", text.substr(0, size));
    EXPECT_NE(error_reading(folder), "no error") << size;
  }
}

}  // namespace
}  // namespace roundtrip
