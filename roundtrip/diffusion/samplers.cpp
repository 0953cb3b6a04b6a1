#include "roundtrip/diffusion/samplers.h"

#include "roundtrip/diffusion/ancestral.h"
#include "roundtrip/diffusion/ddim.h"
#include "roundtrip/diffusion/noise_levels.h"

namespace roundtrip {

const Catalog<SamplerRow>& samplers() {
  static const Catalog<SamplerRow> rows = {
      {"ddim", "deterministic: the initial noise decides the frame", make_ddim},
      {"ancestral", "stochastic: fresh noise after every call but the last", make_ancestral},
  };
  return rows;
}

void bind(SamplerConfig& config, Settings& settings) {
  settings.add("sampler.name", config.name, "how a frame is drawn").one_of(names_of(samplers()));
  settings.add("sampler.steps", config.steps, "denoiser calls per frame").within(1, 1e6);
  settings.add("sampler.spacing", config.spacing, "which diffusion steps the calls visit")
      .one_of(names_of(spacings()));
}

std::unique_ptr<Sampler> make_sampler(const SamplerConfig& config, const NoiseSchedule& schedule) {
  return find_row(samplers(), "sampler", config.name).make(config, schedule);
}

}  // namespace roundtrip
