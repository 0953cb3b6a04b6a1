#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "roundtrip/diffusion/sampler.h"
#include "roundtrip/models/bundle.h"
#include "roundtrip/rollout/stepper.h"

namespace roundtrip {

/// How frames are sampled: the bundle's settings unless the user gives others.
struct SamplingConfig {
  SamplerConfig sampler;
  std::string noise_key = "fixed";  // row of noise_keys()
  int64_t noise_seed = 0;
};

/// The bundle's settings.
SamplingConfig sampling_of(const ModelMetadata& metadata);

/// Rows under "sampler.", as in the settings of a training.
void bind(SamplingConfig& config, Settings& settings);

/// The paper's stepper: the denoiser of a model, sampled from noise that depends on the key alone.
std::unique_ptr<Stepper> make_diffusion_stepper(const Model& model, const SamplingConfig& config);

/// The same of a predictor in training. All that is passed outlives it.
std::unique_ptr<Stepper> make_diffusion_stepper(FramePredictor& predictor, const Sampler& sampler,
                                                const InitialNoise& noise);

}  // namespace roundtrip
