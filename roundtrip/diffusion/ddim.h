#pragma once

#include <memory>

#include "roundtrip/diffusion/noise_schedule.h"
#include "roundtrip/diffusion/sampler.h"

namespace roundtrip {

/// Deterministic DDIM (eta = 0): a smooth map from the initial noise to a frame.
std::unique_ptr<Sampler> make_ddim(const SamplerConfig& config, const NoiseSchedule& schedule);

}  // namespace roundtrip
