#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "roundtrip/base/settings.h"
#include "roundtrip/data/latent_cache.h"
#include "roundtrip/diffusion/sampler.h"
#include "roundtrip/models/frame_predictor.h"
#include "roundtrip/train/rollout_validation.h"
#include "roundtrip/train/trainer.h"

namespace roundtrip {

/// How the denoiser's samples are drawn and disturbed.
struct DenoiserSampling {
  double p_bwd = 0.5;                // share of backward samples; 0 and 1 train specialists
  double anchor_augmentation = 0.5;  // share of anchors at sub-trajectory starts and ends
  double context_noise = 0;          // largest std of noise on contexts and anchor, in latent units
  int64_t pushforward = 0;           // most model steps that make the context; 0 = true contexts
};

/// Lists the settings under `prefix` ("denoiser_training.").
void bind(DenoiserSampling& sampling, const std::string& prefix, Settings& settings);

/// Trains the denoiser on cached latents of the training split.
///
/// The loss of sample i depends on (seed, i) alone: its window, direction, anchor, noise level,
/// noise, and the standard deviation of context noise, uniform in [0, context_noise]. With
/// pushforward a step unrolls the model u steps without gradients, u uniform in 1 ...
/// `pushforward`, and trains on the context it made; the target stays the true frame.
class DenoiserTask : public TrainingTask {
 public:
  struct Parts {
    std::shared_ptr<FramePredictor> predictor;
    const LatentCache& latents;           // of the training split
    const Sampler& sampler;               // for pushforward, with the noise
    const StartNoise& noise;              // that rollouts have
    const RolloutValidation& validation;  // on the selection split
  };

  DenoiserTask(Parts parts, const DenoiserSampling& sampling, uint64_t seed, std::string purpose);

  torch::nn::Module& module() override;
  Batch load(int64_t step, const std::vector<int64_t>& samples) const override;
  torch::Tensor loss(int64_t step, const Batch& batch) override;
  Validation validate() override;

 private:
  int64_t unrolled(int64_t step) const;
  TrainingSample sample(int64_t index, int64_t unrolled) const;
  torch::Tensor pushed_context(const Batch& batch, int64_t unrolled);

  Parts parts_;
  DenoiserSampling sampling_;
  uint64_t seed_;
  std::string purpose_;
  TrainingSamples samples_;
};

}  // namespace roundtrip
