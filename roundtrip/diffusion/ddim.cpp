// Song, Meng & Ermon 2021 with eta = 0: the estimated frame and noise are mixed again at the next
// level's proportions.
#include "roundtrip/diffusion/ddim.h"

#include <cmath>
#include <utility>
#include <vector>

#include <torch/types.h>

#include "roundtrip/diffusion/noise_levels.h"

namespace roundtrip {
namespace {

class Ddim : public Sampler {
 public:
  explicit Ddim(std::vector<NoiseLevel> levels) : levels_(std::move(levels)) {}

  torch::Tensor sample(const Denoise& denoise, const torch::Tensor& start,
                       const StepNoise& /*noise*/) const override {
    torch::Tensor x = start;
    for (const NoiseLevel& level : levels_) {
      const DenoisedEstimate clean = denoise(x, level.k);
      const double next = level.next_alpha_bar;
      // Nothing of the noise is left after the last call, however badly it was estimated.
      x = next == 1 ? clean.x0 : std::sqrt(next) * clean.x0 + std::sqrt(1 - next) * clean.eps;
    }
    return x;
  }

  bool draws_noise() const override { return false; }

 private:
  std::vector<NoiseLevel> levels_;
};

}  // namespace

std::unique_ptr<Sampler> make_ddim(const SamplerConfig& config, const NoiseSchedule& schedule) {
  const Spacing spacing = find_entry(spacings(), "spacing", config.spacing).value;
  return std::make_unique<Ddim>(noise_levels(schedule, spacing, config.steps));
}

}  // namespace roundtrip
