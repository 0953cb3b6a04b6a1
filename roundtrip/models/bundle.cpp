#include "roundtrip/models/bundle.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/diffusion/initial_noise.h"
#include "roundtrip/diffusion/samplers.h"
#include "roundtrip/nn/module_file.h"

namespace roundtrip {
namespace {

constexpr int64_t kFormat = 3, kOldestFormat = 1;
constexpr const char* kMetadata = "model.toml";
constexpr const char* kCodec = "codec.safetensors";
constexpr const char* kDenoiser = "denoiser.safetensors";

// model.toml as one struct of settings.
struct BundleFile {
  int64_t format = kFormat;
  ModelMetadata metadata;
  std::string channels;                // names joined by commas
  std::string boundary = "open,open";  // of the axes
  std::string codec_sha256, denoiser_sha256;
};

void bind(BundleFile& file, Settings& settings) {
  ModelMetadata& metadata = file.metadata;
  settings.add("format", file.format, "version of this layout");
  settings.add("dataset", metadata.layout.dataset, "what the model was trained on");
  settings.add("channels", file.channels, "fields, in channel order");
  settings.add("height", metadata.layout.height, "cells along the first axis").at_least(1);
  settings.add("width", metadata.layout.width, "cells along the second axis").at_least(1);
  settings.add("boundary", file.boundary, "how the domain ends along both axes");
  settings.add("split_rule", metadata.split_rule, "how the dataset was split");
  settings.add("provenance", metadata.provenance, "version, commit, settings, seed and data, JSON");
  settings
      .add("noise_key", metadata.noise_key, "what the initial noise depends on besides its seed")
      .one_of(names_of(noise_keys()));
  settings.add("noise_seed", metadata.noise_seed, "seed of the initial noise").at_least(0);
  settings.add("delta_std", metadata.delta_std, "spread of a step's change, per latent channel");
  bind_reading(metadata.data, settings);
  bind(metadata.codec, settings);
  bind(metadata.scales, settings);
  bind(metadata.denoiser, settings);
  bind(metadata.diffusion, settings);
  bind(metadata.sampler, settings);
  settings.add("sha256.codec", file.codec_sha256, "of codec.safetensors");
  settings.add("sha256.denoiser", file.denoiser_sha256, "of denoiser.safetensors");
}

std::vector<std::string> split_names(const std::string& joined) {
  std::vector<std::string> names;
  std::istringstream text(joined);
  for (std::string name; std::getline(text, name, ',');) names.push_back(name);
  return names;
}

// The version is looked at before anything else: a newer file may hold keys we do not know.
void check_format(const std::filesystem::path& path, const std::string& text) {
  const auto values = toml_values(text);
  const bool known =
      values.is_object() && values.contains("format") && values["format"].is_number_integer();
  if (!known) {
    throw Error("bundle", fmt::format("{}: expected `format = {}`, found no such line; the file "
                                      "is damaged or not of a bundle",
                                      path.string(), kFormat));
  }
  const auto format = values["format"].get<int64_t>();
  if (format >= kOldestFormat && format <= kFormat) return;
  throw Error("bundle",
              fmt::format("{}: expected format {}, found {}; {}", path.string(), kFormat, format,
                          format > kFormat ? "a newer roundtrip wrote it: update"
                                           : "train again with this version"));
}

// The format that brought a setting. In files of older formats it has the value it had before it
// was a setting, which is its default; those of the data are in the provenance.
int64_t format_of(const std::string& name) {
  static const std::vector<std::string> second = {
      "boundary",          "denoiser.network", "denoiser.frequencies", "denoiser.time_index",
      "denoiser.channels", "denoiser.blocks",  "denoiser.dilations",   "denoiser.anchor",
      "denoiser.padding",  "diffusion.input",  "diffusion.levels"};
  if (name.starts_with("data.") || name == "denoiser.coordinates") return 3;
  return std::ranges::find(second, name) == second.end() ? 1 : 2;
}

// Before format 3 a bundle had the settings of its data only in the text of the training's, inside
// its provenance.
DataConfig data_of_provenance(const std::string& provenance, const std::string& where) {
  DataConfig data;
  const auto json = read_json(provenance);
  if (!json.is_object() || !json.contains("config") || !json["config"].is_string()) return data;
  const auto values = toml_values(json["config"].get<std::string>());
  Settings settings("provenance in " + where);
  bind_reading(data, settings);
  for (const Settings::Row& row : settings.rows()) {
    const auto* value = find_value(values, row.name);
    if (value != nullptr) settings.read_override(row.name + "=" + json_text(*value));
  }
  return data;
}

// A line that is not there would silently become a default, and the weights mean something else.
void check_complete(const std::filesystem::path& path, const std::string& text,
                    const Settings& settings) {
  const auto values = toml_values(text);
  for (const Settings::Row& row : settings.rows()) {
    const bool there = find_value(values, row.name) != nullptr ||
                       (!row.former.empty() && find_value(values, row.former) != nullptr);
    const bool expected = values["format"] >= format_of(row.name);
    if (there && !expected) {
      throw Error("bundle", fmt::format("{}: expected no {} in format {}, found one; the file is "
                                        "damaged",
                                        path.string(), row.name, values["format"].get<int64_t>()));
    }
    if (there || !expected) continue;
    throw Error("bundle",
                fmt::format("{}: expected a value for {}, found none; the file is damaged",
                            path.string(), row.name));
  }
}

BundleFile read_metadata(const std::filesystem::path& folder) {
  const auto path = folder / kMetadata;
  if (!std::filesystem::exists(path)) {
    throw Error("bundle", fmt::format("{}: expected a folder with {}, found none; `roundtrip "
                                      "train` makes one",
                                      folder.string(), kMetadata));
  }
  const std::string text = read_file(path);
  check_format(path, text);
  BundleFile file;
  Settings settings(path.string());
  bind(file, settings);
  settings.read_toml(text);
  check_complete(path, text, settings);
  if (file.format < 3) {
    file.metadata.data = data_of_provenance(file.metadata.provenance, path.string());
  }
  file.metadata.layout.channels = split_names(file.channels);
  file.metadata.layout.boundary = boundaries_from(file.boundary, path.string());
  return file;
}

void check_digest(const std::filesystem::path& path, const std::string& expected) {
  const std::string found = sha256_of_file(path);
  if (found == expected) return;
  throw Error("bundle", fmt::format("{}: expected SHA-256 {:.12}..., found {:.12}...; the file is "
                                    "damaged or belongs to another bundle",
                                    path.string(), expected, found));
}

std::shared_ptr<Codec> make_codec(const std::filesystem::path& folder, const BundleFile& file) {
  check_digest(folder / kCodec, file.codec_sha256);
  const FrameLayout& layout = file.metadata.layout;
  const auto network = codec_network_of(file.metadata.codec, layout.shape());
  read_module(folder / kCodec, *network);
  network->eval();
  return std::make_shared<Codec>(network, file.metadata.scales);
}

// Numbers are rounded; counts, if any, stay what they are.
NamedTensors stored_tensors(const torch::nn::Module& module, bool half) {
  NamedTensors tensors = named_tensors(module);
  if (!half) return tensors;
  for (auto& [name, tensor] : tensors) {
    if (tensor.is_floating_point()) tensor = tensor.detach().to(torch::kFloat16);
  }
  return tensors;
}

}  // namespace

void write_bundle(const std::filesystem::path& folder, const Model& model, bool half) {
  write_tensors(folder / kCodec, stored_tensors(model.codec->network(), half));
  write_tensors(folder / kDenoiser, stored_tensors(model.predictor->denoiser(), half));
  for (const std::string& channel : model.metadata.layout.channels) {
    ensure(channel.find(',') == std::string::npos, "names of channels have no comma");
  }
  BundleFile file;
  file.metadata = model.metadata;
  file.channels = fmt::format("{}", fmt::join(model.metadata.layout.channels, ","));
  file.boundary = boundary_names(model.metadata.layout.boundary);
  file.codec_sha256 = sha256_of_file(folder / kCodec);
  file.denoiser_sha256 = sha256_of_file(folder / kDenoiser);
  Settings settings(kMetadata);
  bind(file, settings);
  write_file(folder / kMetadata, settings.to_toml());
}

bool is_bundle(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / kMetadata);
}

ModelMetadata read_bundle_metadata(const std::filesystem::path& folder) {
  return read_metadata(folder).metadata;
}

std::shared_ptr<Codec> read_bundle_codec(const std::filesystem::path& folder,
                                         ModelMetadata& metadata) {
  const BundleFile file = read_metadata(folder);
  metadata = file.metadata;
  return make_codec(folder, file);
}

void read_bundle_denoiser(const std::filesystem::path& folder, const DenoiserConfig& config,
                          const FrameShape& shape, Denoiser& denoiser) {
  const BundleFile file = read_metadata(folder);
  const auto text = [](DenoiserConfig one) {
    Settings settings("denoiser");
    bind(one, settings);
    return settings.to_toml();
  };
  const FrameShape found = make_codec(folder, file)->latent_shape();
  if (text(file.metadata.denoiser) != text(config) || found != shape) {
    throw Error("train", fmt::format("denoiser.bundle {}: expected a denoiser of this training's "
                                     "settings and latents, found another; `roundtrip inspect` "
                                     "lists its settings",
                                     folder.string()));
  }
  check_digest(folder / kDenoiser, file.denoiser_sha256);
  read_module(folder / kDenoiser, denoiser);
}

Model read_bundle(const std::filesystem::path& folder) {
  const BundleFile file = read_metadata(folder);
  Model model;
  model.metadata = file.metadata;
  model.codec = make_codec(folder, file);
  check_digest(folder / kDenoiser, file.denoiser_sha256);
  const auto denoiser =
      make_denoiser(file.metadata.denoiser,
                    {model.codec->latent_shape(), file.metadata.layout.boundary}, /*seed=*/0);
  read_module(folder / kDenoiser, *denoiser);
  denoiser->eval();
  const auto channels = static_cast<size_t>(model.codec->latent_shape().channels);
  if (file.metadata.delta_std.size() != channels) {
    throw Error("bundle", fmt::format("{}: delta_std: expected {} numbers, one per latent channel, "
                                      "found {}",
                                      (folder / kMetadata).string(), channels,
                                      file.metadata.delta_std.size()));
  }
  model.predictor =
      std::make_shared<FramePredictor>(denoiser, file.metadata.diffusion, file.metadata.delta_std);
  return model;
}

}  // namespace roundtrip
