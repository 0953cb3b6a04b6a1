#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "roundtrip/base/settings.h"
#include "roundtrip/data/latent_cache.h"
#include "roundtrip/diffusion/sampler.h"
#include "roundtrip/models/frame_predictor.h"
#include "roundtrip/rollout/stepper.h"
#include "roundtrip/train/rollout_validation.h"
#include "roundtrip/train/trainer.h"

namespace roundtrip {

/// How the denoiser's samples are drawn and disturbed.
struct DenoiserSampling {
  double p_bwd = 0.5;                // share of backward samples; 0 and 1 train specialists
  double anchor_augmentation = 0.5;  // share of anchors at sub-trajectory starts and ends
  bool full_windows = false;         // no windows that the anchor has to fill up
  double context_noise = 0;          // largest std of noise on contexts and anchor, in latent units
  int64_t pushforward = 0;           // most model steps that make the context; 0 = true contexts
  double pushforward_share = 1;      // share of optimiser steps whose contexts the model makes
  int64_t unroll = 1;                // most steps trained through; 1 = the denoising loss alone
  int64_t unroll_after = 0;          // optimiser steps before pushforward and unrolling begin
};

/// Lists the settings under `prefix` ("denoiser_training.").
void bind(DenoiserSampling& sampling, const std::string& prefix, Settings& settings);

/// Trains the denoiser on cached latents of the training split.
///
/// The loss of sample i depends on (seed, i) and, with pushforward or unrolling, on the optimiser
/// step it belongs to: its window, direction, anchor, noise level, noise, and the standard
/// deviation of context noise, uniform in [0, context_noise]. With pushforward a step unrolls the
/// model u steps without gradients, u uniform in 1 ... `pushforward`, and trains on the context it
/// made; the target stays the true frame. With `unroll` a step draws g uniform in 1 ... `unroll`;
/// where g > 1, g frames are sampled one after the other with gradients through all of them, and
/// the loss is the mean squared error of what was sampled, in units of the target (Brandstetter,
/// Worrall & Welling 2022; List, Chen & Thuerey 2022).
class DenoiserTask : public TrainingTask {
 public:
  struct Parts {
    std::shared_ptr<FramePredictor> predictor;
    const LatentCache& latents;           // of the training split
    const Sampler& sampler;               // for pushforward, with the noise
    const InitialNoise& noise;            // that rollouts have
    const RolloutValidation& validation;  // on the selection split
    std::vector<int64_t> levels = {};     // noise levels to train at, alike; empty = all
  };

  DenoiserTask(Parts parts, const DenoiserSampling& sampling, uint64_t seed, std::string purpose);

  torch::nn::Module& module() override;
  Batch load(int64_t step, const std::vector<int64_t>& samples) const override;
  torch::Tensor loss(int64_t step, const Batch& batch) override;
  Validation validate() override;

 private:
  /// What an optimiser step does beside one prediction.
  struct Unrolling {
    int64_t pushed = 0;                                    // model steps without gradients
    int64_t trained = 1;                                   // model steps with gradients
    int64_t more() const { return pushed + trained - 1; }  // frames a window needs besides
  };

  Unrolling unrolling(int64_t step) const;
  int64_t level(double uniform) const;
  TrainingSample sample(int64_t index, int64_t more) const;
  torch::Tensor unrolled_loss(const Batch& batch, FrameWindows windows, int64_t steps);

  Parts parts_;
  DenoiserSampling sampling_;
  uint64_t seed_;
  std::string purpose_;
  std::unique_ptr<Stepper> stepper_;  // rollouts of the model as it is
  TrainingSamples samples_;
};

}  // namespace roundtrip
