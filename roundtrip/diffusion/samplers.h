#pragma once

#include <memory>
#include <string_view>

#include "roundtrip/base/registry.h"
#include "roundtrip/base/settings.h"
#include "roundtrip/diffusion/noise_schedule.h"
#include "roundtrip/diffusion/sampler.h"

namespace roundtrip {

struct SamplerEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Sampler> (*make)(const SamplerConfig& config, const NoiseSchedule& schedule);
};

/// All samplers, by hand: adding one is a file pair, a test and a row here.
const Registry<SamplerEntry>& samplers();

/// Lists the settings of a config as sampler.name, sampler.steps and sampler.spacing.
void bind(SamplerConfig& config, Settings& settings);

/// The sampler a config names; an Error that lists the known ones when there is none.
std::unique_ptr<Sampler> make_sampler(const SamplerConfig& config, const NoiseSchedule& schedule);

}  // namespace roundtrip
