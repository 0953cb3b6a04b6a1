#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <torch/types.h>

#include "roundtrip/base/settings.h"
#include "roundtrip/diffusion/frame_target.h"
#include "roundtrip/diffusion/loss_weight.h"
#include "roundtrip/diffusion/noise_schedule.h"
#include "roundtrip/diffusion/prediction.h"
#include "roundtrip/diffusion/sampler.h"
#include "roundtrip/diffusion/start_noise.h"
#include "roundtrip/models/denoiser.h"

namespace roundtrip {

/// How frames are noised and what the network says about them; the defaults are the paper's.
struct DiffusionConfig {
  int64_t steps = 1000;            // K, noise levels
  std::string prediction = "eps";  // row of predictions()
  std::string target = "frame";    // row of frame_targets()
  std::string weight = "min_snr";  // row of loss_weights()
};

/// Rows under "diffusion.".
void bind(DiffusionConfig& config, Settings& settings);

/// What a prediction is made from. Latents are standardised.
struct PredictionInputs {
  torch::Tensor context;       // (B, n, F, h, w), farthest to nearest
  torch::Tensor anchor;        // (B, F, h, w)
  torch::Tensor target_index;  // (B) int64, the frame to predict
  torch::Tensor direction;     // (B) int64, +1 or -1
};

/// The learned step of a system: the denoiser with its noise schedule and target. One network for
/// both directions.
class FramePredictor {
 public:
  /// `delta_std` per channel, for the target `delta` (TargetMap).
  FramePredictor(Denoiser denoiser, const DiffusionConfig& config,
                 const std::vector<double>& delta_std);

  /// Weighted squared error of the network's output for the frames `next` (B, F, h, w), noised to
  /// levels k (B) int64 by `noise`; mean over the batch, a scalar with its graph.
  torch::Tensor loss(const PredictionInputs& inputs, const torch::Tensor& next,
                     const torch::Tensor& k, const torch::Tensor& noise);

  /// Samples the next frames, (B, F, h, w), without gradients.
  torch::Tensor predict(const PredictionInputs& inputs, const Sampler& sampler,
                        const torch::Tensor& start, const StepNoise& noise = {});
  /// The same with the noise that belongs to each frame, as rollouts have it.
  torch::Tensor predict(const PredictionInputs& inputs, const Sampler& sampler,
                        const StartNoise& noise);

  /// J^T u (B, n, F, h, w) of the sampled frames with respect to the context, for cotangents u
  /// (B, F, h, w); the noise is held fixed.
  torch::Tensor pull_back(const PredictionInputs& inputs, const Sampler& sampler,
                          const StartNoise& noise, const torch::Tensor& cotangent);

  const NoiseSchedule& schedule() const { return schedule_; }
  Denoiser& denoiser() { return denoiser_; }

 private:
  torch::Tensor sample(const PredictionInputs& inputs, const Sampler& sampler,
                       const torch::Tensor& start, const StepNoise& noise);

  Denoiser denoiser_;
  NoiseSchedule schedule_;
  Prediction prediction_;
  LossWeight weight_;
  TargetMap map_;
};

}  // namespace roundtrip
