// Ho, Jain & Abbeel 2020 on a subset of the steps, which is DDIM's family at eta = 1 (Song, Meng &
// Ermon 2021): with a = abar and b = abar of the next level, the noise drawn has the variance
// (1 - b) / (1 - a) (1 - a / b) of the posterior of x_next given x and x0.
#include "roundtrip/diffusion/ancestral.h"

#include <cmath>
#include <utility>
#include <vector>

#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/diffusion/noise_levels.h"

namespace roundtrip {
namespace {

class Ancestral : public Sampler {
 public:
  explicit Ancestral(std::vector<NoiseLevel> levels) : levels_(std::move(levels)) {}

  torch::Tensor sample(const Denoise& denoise, const torch::Tensor& start,
                       const StepNoise& noise) const override {
    ensure(noise != nullptr, "ancestral: expected a source of noise");
    torch::Tensor x = start;
    for (size_t call = 0; call < levels_.size(); ++call) {
      const auto [k, a, b] = levels_[call];
      const DenoisedEstimate clean = denoise(x, k);
      if (b == 1) {
        x = clean.x0;
        continue;
      }
      const double fresh = std::sqrt((1 - b) / (1 - a) * (1 - a / b));
      // sqrt(1 - b - fresh^2), multiplied out: the difference would cancel at small steps.
      const double kept = (1 - b) * std::sqrt(a / b / (1 - a));
      x = std::sqrt(b) * clean.x0 + kept * clean.eps +
          fresh * noise(static_cast<int64_t>(call)).to(x.device(), x.scalar_type());
    }
    return x;
  }

  bool draws_noise() const override { return true; }

 private:
  std::vector<NoiseLevel> levels_;
};

}  // namespace

std::unique_ptr<Sampler> make_ancestral(const SamplerConfig& config,
                                        const NoiseSchedule& schedule) {
  const Spacing spacing = find_entry(spacings(), "spacing", config.spacing).value;
  return std::make_unique<Ancestral>(noise_levels(schedule, spacing, config.steps));
}

}  // namespace roundtrip
