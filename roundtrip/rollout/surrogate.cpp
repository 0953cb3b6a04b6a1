#include "roundtrip/rollout/surrogate.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/data/boundary.h"
#include "roundtrip/data/normaliser.h"
#include "roundtrip/diffusion/noise_levels.h"
#include "roundtrip/diffusion/samplers.h"
#include "roundtrip/io/well_stats.h"
#include "roundtrip/models/identity_codec.h"
#include "roundtrip/rollout/torchscript_stepper.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

// Where legs are anchored; part of what a calibrator is fitted for.
constexpr const char* kAnchorRule = "onward: first seed; return: turnaround frame";

void check_layout(const std::string& model, const FrameLayout& made_for, const Dataset& dataset) {
  const FrameLayout& found = dataset.layout();
  if (made_for.channels == found.channels && made_for.height == found.height &&
      made_for.width == found.width) {
    return;
  }
  throw Error("model",
              fmt::format("{}: expected data of {}x{} frames with {}, found {}x{} with {}", model,
                          made_for.height, made_for.width, fmt::join(made_for.channels, ", "),
                          found.height, found.width, fmt::join(found.channels, ", ")));
}

std::string digest(const std::vector<std::string>& parts) {
  Sha256 sha;
  for (const std::string& part : parts) sha.add(part + '\n');
  return sha.digest();
}

// Frames further apart than those of the training are other steps.
std::vector<std::string> other_stride(const std::string& model, const DataConfig& data) {
  if (data.stride == data_config_of(model).stride) return {};
  return {fmt::format("stride {}", data.stride)};
}

// Values under the names that settings had when calibrators were first tied to them: a new name is
// not another model.
nlohmann::json by_former_names(const Settings& settings) {
  nlohmann::json values = toml_values(settings.to_toml());
  for (const Settings::Row& row : settings.rows()) {
    if (row.former.empty()) continue;
    const size_t dot = row.name.find('.');
    nlohmann::json& section = values[row.name.substr(0, dot)];
    section[row.former.substr(dot + 1)] = section[row.name.substr(dot + 1)];
    section.erase(row.name.substr(dot + 1));
  }
  return values;
}

// What the weights mean, for networks other than that of the first format, whose calibrators must
// keep fitting.
std::vector<std::string> other_network(ModelMetadata metadata) {
  if (metadata.denoiser.network == "dit" && metadata.diffusion.input == "noised") return {};
  Settings settings("network");
  bind(metadata.denoiser, settings);
  bind(metadata.diffusion, settings);
  bind(metadata.scales, settings);
  settings.add("delta_std", metadata.delta_std, "spread of a step's change, per latent channel");
  return {json_text(by_former_names(settings)), boundary_names(metadata.layout.boundary)};
}

// A network trained at the levels of its sampler alone knows no others.
void check_levels(const ModelMetadata& metadata, const SamplerConfig& sampler) {
  if (metadata.diffusion.levels != "sampled") return;
  const auto levels = [&](const SamplerConfig& config) {
    return spaced_steps(find_row(spacings(), "spacing", config.spacing).value,
                        metadata.diffusion.steps, config.steps);
  };
  const std::vector<int64_t> known = levels(metadata.sampler);
  for (const int64_t k : levels(sampler)) {
    if (std::ranges::find(known, k) != known.end()) continue;
    throw Error("sampler", fmt::format("sampler.steps={} sampler.spacing={}: expected noise levels "
                                       "the model was trained at ({} with {} calls), found level "
                                       "{}; leave both settings as they are",
                                       sampler.steps, sampler.spacing, metadata.sampler.spacing,
                                       metadata.sampler.steps, k));
  }
}

Surrogate open_bundle(const SurrogateRequest& request, const DataConfig& data,
                      const Dataset& dataset) {
  const Model model = read_bundle(request.model);
  check_layout(request.model, model.metadata.layout, dataset);
  SamplingConfig sampling = sampling_of(model.metadata);
  Settings settings("sampling");
  bind(sampling, settings);
  for (const std::string& assignment : request.settings) settings.read_override(assignment);
  check_levels(model.metadata, sampling.sampler);
  Surrogate surrogate = make_diffusion_surrogate(model, sampling);
  surrogate.settings = settings.to_toml();
  std::vector<std::string> parts = {
      sha256_of_file(fs::path(request.model) / "codec.safetensors"),
      sha256_of_file(fs::path(request.model) / "denoiser.safetensors"),
      json_text(toml_values(surrogate.settings)), kAnchorRule};
  for (std::string& part : other_stride(request.model, data)) parts.push_back(std::move(part));
  for (std::string& part : other_network(model.metadata)) parts.push_back(std::move(part));
  surrogate.fingerprint = digest(parts);
  return surrogate;
}

// The field that a channel is, or is a component of: "velocity_x" of "velocity".
const WellFieldStats* field_of(const WellStats& stats, const std::string& channel) {
  for (const WellFieldStats& field : stats.fields) {
    if (channel == field.name || (field.order > 0 && channel.starts_with(field.name + "_"))) {
      return &field;
    }
  }
  return nullptr;
}

// One mean and standard deviation per channel, from stats.yaml where the dataset has one.
Normaliser normaliser_of(const DataConfig& data, const Dataset& dataset) {
  const fs::path stats = fs::path(data.path) / "stats.yaml";
  if (!fs::exists(stats)) return fit_normaliser(dataset, available_threads());
  const WellStats known = read_well_stats(stats);
  std::vector<double> mean, std;
  std::map<std::string, size_t> taken;  // components of a field seen so far
  for (const std::string& channel : dataset.layout().channels) {
    const WellFieldStats* field = field_of(known, channel);
    const size_t component = field == nullptr ? 0 : taken[field->name]++;
    if (field == nullptr || component >= field->mean.size()) {
      throw Error("model", fmt::format("{}: expected statistics of {}, found none", stats.string(),
                                       channel));
    }
    mean.push_back(field->mean[component]);
    std.push_back(field->std[component]);
  }
  return {mean, std};
}

Surrogate open_torchscript(const SurrogateRequest& request, const DataConfig& data,
                           const Dataset& dataset) {
  if (!request.settings.empty()) {
    throw Error("model", fmt::format("{}: expected no settings for a TorchScript model, found {}",
                                     request.model, request.settings.front()));
  }
  Surrogate surrogate;
  std::string codec_digest = "identity";
  if (request.codec == "identity") {
    const FrameLayout& layout = dataset.layout();
    surrogate.layout = layout;
    const Normaliser normaliser = normaliser_of(data, dataset);
    surrogate.codec =
        std::make_shared<Codec>(make_identity_codec(layout.shape()),
                                CodecScales{normaliser.mean(), normaliser.std(),
                                            identity_standardiser(layout.channel_count())});
    codec_digest +=
        fmt::format("{} {}", fmt::join(normaliser.mean(), ","), fmt::join(normaliser.std(), ","));
  } else {
    ModelMetadata metadata;
    surrogate.codec = read_bundle_codec(request.codec, metadata);
    surrogate.layout = metadata.layout;
    check_layout(request.codec, metadata.layout, dataset);
    codec_digest = sha256_of_file(fs::path(request.codec) / "codec.safetensors");
  }
  surrogate.stepper =
      make_torchscript_stepper(request.model, surrogate.codec->latent_shape(), request.contexts);
  surrogate.fingerprint =
      digest({codec_digest, sha256_of_file(request.model),
              fmt::format("contexts {}", surrogate.stepper->contexts()), kAnchorRule});
  return surrogate;
}

}  // namespace

Surrogate make_diffusion_surrogate(const Model& model, const SamplingConfig& sampling) {
  Surrogate surrogate;
  surrogate.layout = model.metadata.layout;
  surrogate.codec = model.codec;
  surrogate.stepper = make_diffusion_stepper(model, sampling);
  surrogate.sample = [model, sampling](int64_t sample, bool ancestral) {
    SamplingConfig other = sampling;
    other.noise_seed += sample;
    if (ancestral) {
      other.sampler.name = "ancestral";
      other.noise_key = "direction";  // fresh in every step, or it would be one more map
    }
    return std::shared_ptr<Stepper>(make_diffusion_stepper(model, other));
  };
  return surrogate;
}

int64_t initial_frames_of(const Surrogate& surrogate, int64_t asked) {
  return asked > 0 ? asked : surrogate.stepper->contexts();
}

std::string fingerprint_from(const Surrogate& surrogate, int64_t initial_frames) {
  if (initial_frames == surrogate.stepper->contexts()) return surrogate.fingerprint;
  return digest({surrogate.fingerprint, fmt::format("seeds {}", initial_frames)});
}

DataConfig data_config_of(const std::string& model) {
  return is_bundle(model) ? read_bundle_metadata(model).data : DataConfig{};
}

Surrogate open_surrogate(const SurrogateRequest& request, const DataConfig& data,
                         const Dataset& dataset) {
  const fs::path path(request.model);
  const bool script = fs::is_regular_file(path);
  Surrogate surrogate =
      script ? open_torchscript(request, data, dataset) : open_bundle(request, data, dataset);
  surrogate.name = path.filename().empty() ? path.parent_path().filename() : path.filename();
  return surrogate;
}

}  // namespace roundtrip
