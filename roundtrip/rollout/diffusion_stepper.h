#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "roundtrip/diffusion/sampler.h"
#include "roundtrip/models/bundle.h"
#include "roundtrip/rollout/stepper.h"

namespace roundtrip {

/// How frames are sampled: what a bundle says unless the user says otherwise.
struct SamplingConfig {
  SamplerConfig sampler;
  std::string noise_key = "fixed";  // entry of noise_keys()
  int64_t noise_seed = 0;
};

/// What a bundle says.
SamplingConfig sampling_of(const ModelFacts& facts);

/// Rows under "sampler.", as in the settings of a training.
void bind(SamplingConfig& config, Settings& settings);

/// The paper's stepper: the denoiser of a model, sampled from noise that depends on the key alone.
std::unique_ptr<Stepper> make_diffusion_stepper(const Model& model, const SamplingConfig& config);

}  // namespace roundtrip
