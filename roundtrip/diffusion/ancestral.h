#pragma once

#include <memory>

#include "roundtrip/diffusion/noise_schedule.h"
#include "roundtrip/diffusion/sampler.h"

namespace roundtrip {

/// Ancestral sampling (eta = 1): every call but the last adds noise, as the posterior of the
/// diffusion's own steps asks.
std::unique_ptr<Sampler> make_ancestral(const SamplerConfig& config, const NoiseSchedule& schedule);

}  // namespace roundtrip
