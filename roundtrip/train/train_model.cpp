#include "roundtrip/train/train_model.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/provenance.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/data/frame_store.h"
#include "roundtrip/data/latent_cache.h"
#include "roundtrip/data/normaliser.h"
#include "roundtrip/diffusion/initial_noise.h"
#include "roundtrip/diffusion/noise_levels.h"
#include "roundtrip/diffusion/samplers.h"
#include "roundtrip/distributed/shared_result.h"
#include "roundtrip/models/bundle.h"
#include "roundtrip/train/codec_task.h"
#include "roundtrip/train/latent_stage.h"

namespace roundtrip {
namespace {

constexpr const char* kRunFolder = "run";
constexpr const char* kTrainingLog = "training.jsonl";
// Training frames a codec starts from: as many as fit, within reason.
constexpr int64_t kExampleBytes = int64_t{256} << 20, kFewest = 16, kMost = 1024;

torch::ScalarType type_of(const TrainConfig& config) {
  return config.precision == "double" ? torch::kFloat64 : torch::kFloat32;
}

// What a kill in the middle of writing left: as large as a checkpoint or the cache of latents.
void remove_leftovers(const std::filesystem::path& out) {
  AtomicFile::remove_abandoned(out);
  AtomicFile::remove_abandoned(out / kRunFolder);
  for (const auto& entry : std::filesystem::directory_iterator(out / kRunFolder)) {
    if (entry.is_directory()) AtomicFile::remove_abandoned(entry.path());
  }
}

// The folder of a run, tied to its settings by the file config.toml.
void prepare_folder(const TrainRequest& request) {
  const auto run = request.out / kRunFolder;
  const auto settings = run / "config.toml";
  const std::string text = to_toml(request.config);
  const bool begun = std::filesystem::exists(settings);
  if (request.force && !request.resume) {
    std::filesystem::remove_all(run);
    std::filesystem::remove(request.out / "model.toml");
  } else if (!request.resume && (begun || is_bundle(request.out))) {
    throw Error("train",
                fmt::format("{}: expected a new folder, found a {}--force replaces "
                            "it, --out names another",
                            request.out.string(),
                            is_bundle(request.out) ? "bundle; "
                                                   : "run in progress; --resume continues it, "));
  } else if (request.resume && !begun && is_bundle(request.out)) {
    throw Error("train", fmt::format("{}: expected a run to continue, found a finished bundle "
                                     "without its folder {}; --force replaces it, --out names "
                                     "another folder",
                                     request.out.string(), kRunFolder));
  } else if (request.resume && begun && toml_values(read_file(settings)) != toml_values(text)) {
    throw Error("train", fmt::format("{}: expected the settings this run was begun with, found "
                                     "others; --force begins anew, --out names another folder",
                                     settings.string()));
  }
  std::filesystem::create_directories(run);
  remove_leftovers(request.out);
  write_file(settings, text);
}

class ModelTraining {
 public:
  ModelTraining(const TrainRequest& request, ProcessGroup& ranks, const TrainListener& listener)
      : request_(request), config_(request.config), ranks_(ranks), listener_(listener) {}

  TrainSummary run() {
    dataset_ = open_dataset(config_.data);
    require_split(*dataset_, Split::train);
    require_split(*dataset_, Split::selection);
    check_settings();
    if (ranks_.rank() == 0) prepare_folder(request_);
    ranks_.barrier();
    make_codec();
    make_latents();
    train_denoiser();
    if (ranks_.rank() == 0) {
      // The log first: where the bundle is, how it came about is beside it.
      write_file(request_.out / kTrainingLog, read_file(folder() / "metrics.jsonl"));
      write_bundle(request_.out, model_, half());
    }
    ranks_.barrier();
    return std::move(summary_);
  }

 private:
  std::filesystem::path folder() const { return request_.out / kRunFolder; }
  uint64_t seed() const { return static_cast<uint64_t>(config_.seed); }

  TrainingRun run_of(const std::string& stage, int64_t batch) const {
    const bool finetune = stage == "finetune";
    return {.stage = stage,
            .settings = finetune ? stage : stage + "_training",
            .folder = folder(),
            .resume = request_.resume,
            .fingerprint = fingerprint_,
            .validate_start = finetune,
            .log = listener_.log,
            .progress = [this, stage, batch](int64_t done, int64_t total, double loss) {
              listener_.progress("training " + stage, "samples", done * batch, total * batch,
                                 fmt::format("loss {:.4f}", loss));
            }};
  }

  // Whatever can be wrong with the settings is found before anything is written.
  void check_settings() {
    const FrameLayout& layout = dataset_->layout();
    if (config_.codec_bundle.empty()) {
      check_pictures();
      network_ = make_codec_network(config_.codec, layout.shape(), seed());
    } else {
      take_codec();
    }
    check_denoiser(config_.denoiser, latent_grid());
    if (!config_.denoiser_bundle.empty()) read_bundle_metadata(config_.denoiser_bundle);
    make_sampler(config_.sampler, NoiseSchedule(config_.diffusion.steps));
    check_prediction();
    check_batches();
    check_lengths();
    check_specialist();
  }

  // Published weights know pictures, not fields scaled by their own spread.
  void check_pictures() const {
    const bool published = find_row(codec_networks(), "codec", config_.codec.network).published;
    if (!published || dataset_->unit_range()) return;
    throw Error("config", fmt::format("codec.network: {} is for video; {} is not, use cvae",
                                      config_.codec.network, config_.data.path));
  }

  // At pure noise an epsilon prediction is divided by almost nothing.
  void check_prediction() const {
    if (config_.diffusion.prediction != "eps" || config_.sampler.spacing == "leading") return;
    throw Error("config", fmt::format("diffusion.prediction: expected v or x0 with "
                                      "sampler.spacing={}, which begins at pure noise, found eps; "
                                      "or choose spacing=leading",
                                      config_.sampler.spacing));
  }

  void check_batches() const {
    check_batch(config_.codec_training, "codec_training", ranks_);
    check_batch(config_.denoiser_training, "denoiser_training", ranks_);
    if (config_.finetune.steps > 0) check_batch(config_.finetune, "finetune", ranks_);
  }

  void check_lengths() const {
    const auto steps = [](const DenoiserSampling& s) { return s.pushforward + s.unroll - 1; };
    const int64_t unrolled = std::max(
        steps(config_.sampling), config_.finetune.steps > 0 ? steps(config_.finetune_sampling) : 0);
    const auto frames = [&](const DenoiserSampling& s) {
      return steps(s) + (s.full_windows ? config_.denoiser.contexts : 1) + 1;
    };
    const int64_t needed =
        std::max({config_.denoiser.contexts + 1, frames(config_.sampling),
                  config_.finetune.steps > 0 ? frames(config_.finetune_sampling) : 0});
    for (const Split split : {Split::train, Split::selection}) {
      const auto lengths = trajectory_lengths(*dataset_, split);
      const auto shortest = std::ranges::min_element(lengths);
      if (*shortest >= needed) continue;
      throw Error("config",
                  fmt::format("{}: expected at least {} frames for {} contexts and {} unrolled "
                              "steps, found {} at stride {}; leave it out or lower data.stride",
                              dataset_->trajectory_name(split, shortest - lengths.begin()), needed,
                              config_.denoiser.contexts, unrolled, *shortest, config_.data.stride));
    }
  }

  // A specialist of one direction stays one.
  void check_specialist() const {
    const double first = config_.sampling.p_bwd, second = config_.finetune_sampling.p_bwd;
    if (config_.finetune.steps == 0 || first == second || (first > 0 && first < 1)) return;
    throw Error("config", fmt::format("finetune.p_bwd: expected {} like denoiser_training.p_bwd, "
                                      "found {}; the fine-tune would train the other direction",
                                      first, second));
  }

  // Weights of the seed, or of a bundle, or trained here.
  void make_codec() {
    const FrameLayout& layout = dataset_->layout();
    ModelMetadata& metadata = model_.metadata;
    metadata.layout = layout;
    metadata.split_rule = dataset_->split_rule();
    if (network_ == nullptr) {
      // As it will be stored: latents and weights of a bundle belong together.
      if (half()) round_to_half(model_.codec->network());
      return;
    }
    metadata.codec = config_.codec;
    const Normaliser normaliser = normaliser_from_json(
        shared_result(folder() / "normaliser.json", json_text(dataset_->provenance()), ranks_,
                      [&] {
                        return to_json(
                            fit_normaliser(*dataset_, available_threads(),
                                           [&](int64_t frames) { count("statistics", frames); }));
                      }),
        "normaliser.json");
    network_->to(type_of(config_));
    const auto parameters = network_->parameters();
    if (!parameters.empty() && parameters.front().requires_grad()) train_codec(normaliser);
    network_->to(torch::kFloat32);
    if (half()) round_to_half(*network_);
    network_->eval();
    model_.codec = std::make_shared<Codec>(
        network_, CodecScales{normaliser.mean(), normaliser.std(),
                              identity_standardiser(network_->latent_shape().channels)});
    standardise_codec();
  }

  // Encodes the training split for its statistics; make_latents finishes the result.
  void standardise_codec() {
    raw_fingerprint_ = latent_fingerprint(*model_.codec, model_.metadata.codec, *dataset_);
    const auto result =
        shared_result(folder() / "latent_statistics.json", raw_fingerprint_, ranks_, [&] {
          return to_json(encode_training(raw_latents(), raw_fingerprint_, *model_.codec, *dataset_,
                                         [&](int64_t frames) { count("encoding train", frames); }));
        });
    summary_.channels = latent_channels_from_json(result);
    model_.codec->standardise_by(standardiser_of(summary_.channels));
  }

  void take_codec() {
    ModelMetadata metadata;
    model_.codec = read_bundle_codec(config_.codec_bundle, metadata);
    if (metadata.layout.channels != dataset_->layout().channels ||
        metadata.layout.height != dataset_->layout().height ||
        metadata.layout.width != dataset_->layout().width) {
      throw Error("train",
                  fmt::format("codec.bundle {}: expected a codec for the frames of {}, "
                              "found one for {}x{} frames of {}",
                              config_.codec_bundle, config_.data.path, metadata.layout.height,
                              metadata.layout.width, metadata.layout.dataset));
    }
    model_.metadata.codec = metadata.codec;
    codec_provenance_ = read_json(metadata.provenance);
    if (codec_provenance_.is_discarded()) codec_provenance_ = nullptr;
  }

  void train_codec(const Normaliser& normaliser) {
    // Where frames have to be copied first, rank 0 does it.
    if (ranks_.rank() == 0) FrameStore(*dataset_, Split::train, folder());
    ranks_.barrier();
    const FrameStore frames(*dataset_, Split::train, folder());
    if (config_.codec.weights.empty()) {
      // Where the kind of network can, it begins from what these frames have in common.
      const int64_t frame_bytes = dataset_->layout().frame_size() * int64_t{sizeof(float)};
      const int64_t count = std::clamp(kExampleBytes / frame_bytes, kFewest, kMost);
      const auto locations = spread_locations(trajectory_lengths(*dataset_, Split::train), count);
      network_->initialise_from(
          normaliser.normalise(frames.frames(locations)).to(type_of(config_)));
    }
    CodecTask task(
        {.network = network_,
         .frames = frames,
         .normaliser = normaliser,
         .validation_frames = spread_frames(*dataset_, Split::selection, config_.validation_frames),
         .channels = dataset_->layout().channels},
        config_.codec.kl_weight, seed());
    fingerprint_ = digest(to_toml(config_) + json_text(dataset_->provenance()));
    run_stage("codec", task, config_.codec_training);
  }

  void run_stage(const std::string& stage, TrainingTask& task, const TrainingOptions& options) {
    const TrainingRun where = run_of(stage, options.batch);
    const TrainingResult result = train(task, options, where, ranks_);
    int64_t parameters = 0;
    for (const torch::Tensor& parameter : task.module().parameters()) {
      parameters += parameter.numel();
    }
    summary_.stages.push_back({stage, parameters, result});
  }

  // Everything latents depend on.
  void make_latents() {
    model_.metadata.scales = model_.codec->scales();
    fingerprint_ = latent_fingerprint(*model_.codec, model_.metadata.codec, *dataset_);
    for (const Split split : {Split::train, Split::selection}) {
      const auto path = folder() / fmt::format("latents-{}.safetensors", split_name(split));
      if (ranks_.rank() == 0 && !LatentCache::open_if_fits(path, fingerprint_)) {
        encode(split, path);
      }
      ranks_.barrier();
      latents_.emplace(split, LatentCache(path, fingerprint_));
      if (request_.resume) latents_.at(split).verify();
    }
    model_.metadata.delta_std =
        step_spread(latents_.at(Split::train), model_.codec->scales().latent.collapsed);
  }

  std::filesystem::path raw_latents() const { return folder() / "latents-raw.safetensors"; }

  void encode(Split split, const std::filesystem::path& path) {
    if (split == Split::train && LatentCache::open_if_fits(raw_latents(), raw_fingerprint_)) {
      return standardise_training(raw_latents(), raw_fingerprint_, path, fingerprint_,
                                  *model_.codec);
    }
    const std::string stage = fmt::format("encoding {}", split_name(split));
    write_latents(path, fingerprint_, *model_.codec, *dataset_, split,
                  [&](int64_t frames) { count(stage, frames, split); });
  }

  void train_denoiser() {
    ModelMetadata& metadata = model_.metadata;
    metadata.data = config_.data;
    metadata.denoiser = config_.denoiser;
    metadata.diffusion = config_.diffusion;
    metadata.sampler = config_.sampler;
    metadata.noise_key = config_.noise_key;
    metadata.noise_seed = config_.noise_seed;
    auto provenance = to_json(
        Provenance{.config = to_toml(config_), .seed = seed(), .data = dataset_->provenance()});
    if (!codec_provenance_.is_null()) provenance["codec"] = codec_provenance_;
    metadata.provenance = json_text(provenance);
    const FrameShape latent = model_.codec->latent_shape();
    const auto denoiser = make_denoiser(config_.denoiser, latent_grid(), seed());
    if (!config_.denoiser_bundle.empty()) {
      read_bundle_denoiser(config_.denoiser_bundle, config_.denoiser, latent, *denoiser);
    }
    denoiser->to(type_of(config_));
    model_.predictor =
        std::make_shared<FramePredictor>(denoiser, config_.diffusion, metadata.delta_std);
    const auto sampler = make_sampler(config_.sampler, model_.predictor->schedule());
    const InitialNoise noise(find_row(noise_keys(), "sampler.noise_key", config_.noise_key).value,
                             static_cast<uint64_t>(config_.noise_seed), latent);
    fingerprint_ = digest(to_toml(config_) + fingerprint_);
    denoiser_stage("denoiser", config_.denoiser_training, config_.sampling, *sampler, noise);
    if (config_.finetune.steps > 0) {
      denoiser_stage("finetune", config_.finetune, config_.finetune_sampling, *sampler, noise);
    }
    denoiser->to(torch::kFloat32);
    if (half()) round_to_half(*denoiser);
    denoiser->eval();
  }

  LatentGrid latent_grid() const {
    return {network_ ? network_->latent_shape() : model_.codec->latent_shape(),
            dataset_->layout().boundary};
  }

  // Noise levels to train at; empty = all.
  std::vector<int64_t> levels() const {
    const auto& row = find_row(training_levels(), "diffusion.levels", config_.diffusion.levels);
    if (row.value == TrainingLevels::all) return {};
    const Spacing spacing = find_row(spacings(), "spacing", config_.sampler.spacing).value;
    return spaced_steps(spacing, config_.diffusion.steps, config_.sampler.steps);
  }

  bool half() const { return config_.stored == "half"; }

  void denoiser_stage(const std::string& stage, const TrainingOptions& options,
                      const DenoiserSampling& sampling, const Sampler& sampler,
                      const InitialNoise& noise) {
    std::vector<int64_t> directions;
    if (sampling.p_bwd < 1) directions.push_back(+1);
    if (sampling.p_bwd > 0) directions.push_back(-1);
    const RolloutValidation validation(latents_.at(Split::selection), sampler, noise,
                                       {.contexts = config_.denoiser.contexts,
                                        .directions = directions,
                                        .live = model_.codec->live_channels(),
                                        .levels = levels(),
                                        .seed = seed()},
                                       config_.validation);
    DenoiserTask task({.predictor = model_.predictor,
                       .latents = latents_.at(Split::train),
                       .sampler = sampler,
                       .noise = noise,
                       .validation = validation,
                       .levels = levels()},
                      sampling, seed(), stage);
    run_stage(stage, task, options);
  }

  void count(const std::string& stage, int64_t frames, Split split = Split::train) {
    if (stage != counted_stage_) {
      counted_stage_ = stage;
      counted_ = 0;
      total_ = 0;
      for (const int64_t length : trajectory_lengths(*dataset_, split)) total_ += length;
    }
    counted_ += frames;
    listener_.progress(stage, "frames", counted_, total_, "");
  }

  static std::string digest(const std::string& text) {
    Sha256 sha;
    sha.add(text);
    return sha.digest();
  }

  const TrainRequest& request_;
  const TrainConfig& config_;
  ProcessGroup& ranks_;
  const TrainListener& listener_;
  std::unique_ptr<Dataset> dataset_;
  std::shared_ptr<CodecNetwork> network_;  // to be trained; null with a bundle's codec
  std::map<Split, LatentCache> latents_;
  Model model_;
  TrainSummary summary_;
  nlohmann::ordered_json codec_provenance_;  // of a bundle's codec
  std::string fingerprint_, raw_fingerprint_;
  std::string counted_stage_;
  int64_t counted_ = 0, total_ = 0;
};

}  // namespace

TrainSummary train_model(const TrainRequest& request, ProcessGroup& ranks,
                         const TrainListener& listener) {
  return ModelTraining(request, ranks, listener).run();
}

}  // namespace roundtrip
