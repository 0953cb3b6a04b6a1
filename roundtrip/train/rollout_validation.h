#pragma once

#include <cstdint>
#include <vector>

#include "roundtrip/base/settings.h"
#include "roundtrip/data/latent_cache.h"
#include "roundtrip/diffusion/initial_noise.h"
#include "roundtrip/diffusion/sampler.h"
#include "roundtrip/models/frame_predictor.h"
#include "roundtrip/train/trainer.h"

namespace roundtrip {

struct ValidationOptions {
  int64_t trajectories = 16;  // rolled out, the first of the selection split
  int64_t depth = 16;         // most steps of a rollout
  int64_t samples = 256;      // windows of the denoising loss and of single steps
};

/// Rows under "validation.".
void bind(ValidationOptions& options, Settings& settings);

/// Measures a predictor on trajectories it was not trained on, by what it is for: rollouts.
///
/// From the first n true frames (forward) or the last n (backward) it rolls out to depths 1, 2, 4,
/// ... and compares latents with the truth. The score is the mean over directions and depths of
/// log(MSE / MSE of the persistence baseline: the last seed frame); MSEs are means over
/// trajectories and live channels. Beside it stand, on fixed windows from everywhere in the
/// trajectories, the denoising loss (the paper saw the two disagree) and the error of one sampled
/// step over that of the persistence baseline, per direction.
class RolloutValidation {
 public:
  struct Setup {
    int64_t contexts = 2;  // n
    std::vector<int64_t> directions = {+1, -1};
    std::vector<int64_t> live;         // channels that count
    std::vector<int64_t> levels = {};  // noise levels of the denoising loss; empty = all
    uint64_t seed = 0;                 // of the denoising loss's windows and noise
  };

  /// `latents` are those of the selection split. What is passed by reference must outlive this.
  RolloutValidation(const LatentCache& latents, const Sampler& sampler, const InitialNoise& noise,
                    Setup setup, const ValidationOptions& options);

  Validation run(FramePredictor& predictor) const;

 private:
  void add_windows(FramePredictor& predictor, Validation& found) const;
  void add_rollouts(FramePredictor& predictor, Validation& found) const;
  torch::Tensor errors_of(const torch::Tensor& a, const torch::Tensor& b) const;

  const LatentCache& latents_;
  const Sampler& sampler_;
  const InitialNoise& noise_;
  Setup setup_;
  ValidationOptions options_;
};

}  // namespace roundtrip
