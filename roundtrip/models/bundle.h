#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "roundtrip/base/settings.h"
#include "roundtrip/data/dataset.h"
#include "roundtrip/diffusion/sampler.h"
#include "roundtrip/models/codec.h"
#include "roundtrip/models/codec_networks.h"
#include "roundtrip/models/denoiser.h"
#include "roundtrip/models/frame_predictor.h"

namespace roundtrip {

/// Everything about a trained model that is not a weight: the contents of model.toml.
struct ModelMetadata {
  FrameLayout layout;  // fields and size of the frames
  DataConfig data;     // how they were read (bind_reading); the path and the limits are not kept
  CodecConfig codec;
  CodecScales scales;
  DenoiserConfig denoiser;
  DiffusionConfig diffusion;
  SamplerConfig sampler;            // how frames are sampled unless the user chooses otherwise
  std::string noise_key = "fixed";  // row of noise_keys()
  int64_t noise_seed = 0;           // of the initial noise
  std::vector<double> delta_std;    // per latent channel: spread of the change between frames
  std::string split_rule;           // how the dataset was split
  std::string provenance;           // JSON: version, commit, config, seed, data
};

/// A trained model: codec, denoiser, and the metadata that tie them together.
struct Model {
  ModelMetadata metadata;
  std::shared_ptr<Codec> codec;
  std::shared_ptr<FramePredictor> predictor;
};

/// Writes a bundle: codec.safetensors, denoiser.safetensors, then model.toml with their SHA-256.
/// The folder is a bundle once model.toml is there. The same model gives the same bytes. `half`
/// stores weights rounded to half precision: half the size, and the model then is the rounded one.
void write_bundle(const std::filesystem::path& folder, const Model& model, bool half = false);

/// Reads a bundle. An Error when a file is missing, damaged, of a newer format, or does not belong
/// to the others.
Model read_bundle(const std::filesystem::path& folder);

/// Whether a folder is a bundle.
bool is_bundle(const std::filesystem::path& folder);

/// The metadata of a bundle alone; weights are neither read nor checked.
ModelMetadata read_bundle_metadata(const std::filesystem::path& folder);

/// Reads the denoiser weights of a bundle into a network built by `config` for latents of `shape`;
/// an Error when the bundle's was built by other settings.
void read_bundle_denoiser(const std::filesystem::path& folder, const DenoiserConfig& config,
                          const FrameShape& shape, Denoiser& denoiser);

/// The codec of a bundle alone.
std::shared_ptr<Codec> read_bundle_codec(const std::filesystem::path& folder,
                                         ModelMetadata& metadata);

}  // namespace roundtrip
