#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "roundtrip/base/settings.h"
#include "roundtrip/data/data_config.h"
#include "roundtrip/diffusion/sampler.h"
#include "roundtrip/models/codec_networks.h"
#include "roundtrip/models/denoiser.h"
#include "roundtrip/models/frame_predictor.h"
#include "roundtrip/train/denoiser_task.h"
#include "roundtrip/train/rollout_validation.h"
#include "roundtrip/train/trainer.h"

namespace roundtrip {

/// All settings of a training, one file in configs/ each.
struct TrainConfig {
  int64_t seed = 0;                  // of weights, samples and noise
  std::string precision = "single";  // single or double
  std::string stored = "trained";    // weights of the bundle: as trained, or half
  DataConfig data;
  CodecConfig codec;
  std::string codec_bundle;        // take the codec of this bundle instead of training one
  int64_t validation_frames = 64;  // selection frames the codec is validated on
  TrainingOptions codec_training;
  DenoiserConfig denoiser;
  std::string denoiser_bundle;  // begin with the denoiser weights of this bundle
  DiffusionConfig diffusion;
  SamplerConfig sampler;
  std::string noise_key = "fixed";  // row of noise_keys()
  int64_t noise_seed = 0;           // of the initial noise
  TrainingOptions denoiser_training;
  DenoiserSampling sampling;
  TrainingOptions finetune;  // a second, short stage; 0 steps = none
  DenoiserSampling finetune_sampling;
  ValidationOptions validation;

  TrainConfig();
};

/// Lists all settings.
void bind(TrainConfig& config, Settings& settings);

/// Reads a file of configs/, then `key=value` overrides. `note` gets a line for every setting that
/// goes by its former name.
TrainConfig read_train_config(const std::string& path, const std::vector<std::string>& overrides,
                              const std::function<void(const std::string&)>& note = {});

/// The resolved settings as a commented TOML document.
std::string to_toml(TrainConfig config);

}  // namespace roundtrip
