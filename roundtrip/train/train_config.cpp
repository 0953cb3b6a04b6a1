#include "roundtrip/train/train_config.h"

#include "roundtrip/diffusion/initial_noise.h"
#include "roundtrip/diffusion/samplers.h"

namespace roundtrip {

TrainConfig::TrainConfig() {
  finetune.steps = 0;
  finetune.rate.peak = 1e-5;
  finetune.rate.warmup = 0;
  finetune_sampling.pushforward = 3;
}

void bind(TrainConfig& config, Settings& settings) {
  settings.add("seed", config.seed, "of weights, samples and noise").at_least(0);
  settings.add("precision", config.precision, "of weights and gradients")
      .one_of({"single", "double"});
  settings
      .add("stored", config.stored,
           "weights of the bundle: as trained, or rounded to half precision, half the size")
      .one_of({"trained", "half"});
  bind(config.data, settings);
  bind(config.codec, settings);
  settings.add("codec.bundle", config.codec_bundle,
               "take the codec of this bundle instead of training one");
  settings
      .add("codec.validation_frames", config.validation_frames,
           "selection frames the codec is validated on")
      .at_least(1)
      .formerly("codec.judged_frames");
  bind(config.codec_training, "codec_training.", settings);
  bind(config.denoiser, settings);
  settings.add("denoiser.bundle", config.denoiser_bundle,
               "begin with the denoiser weights of this bundle; empty = those of the seed");
  bind(config.diffusion, settings);
  bind(config.sampler, settings);
  settings
      .add("sampler.noise_key", config.noise_key,
           "what the initial noise depends on besides its seed")
      .one_of(names_of(noise_keys()));
  settings.add("sampler.noise_seed", config.noise_seed, "seed of the initial noise").at_least(0);
  bind(config.denoiser_training, "denoiser_training.", settings);
  bind(config.sampling, "denoiser_training.", settings);
  bind(config.finetune, "finetune.", settings);
  bind(config.finetune_sampling, "finetune.", settings);
  bind(config.validation, settings);
}

TrainConfig read_train_config(const std::string& path, const std::vector<std::string>& overrides,
                              const std::function<void(const std::string&)>& note) {
  TrainConfig config;
  Settings settings(path);
  bind(config, settings);
  settings.read_file(path);
  for (const std::string& assignment : overrides) settings.read_override(assignment);
  for (const std::string& line : settings.notes()) {
    if (note) note(line);
  }
  return config;
}

std::string to_toml(TrainConfig config) {
  Settings settings("train");
  bind(config, settings);
  return settings.to_toml();
}

}  // namespace roundtrip
