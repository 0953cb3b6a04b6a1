#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <torch/types.h>

#include "roundtrip/base/settings.h"
#include "roundtrip/data/frame_windows.h"
#include "roundtrip/diffusion/frame_target.h"
#include "roundtrip/diffusion/initial_noise.h"
#include "roundtrip/diffusion/loss_weight.h"
#include "roundtrip/diffusion/noise_schedule.h"
#include "roundtrip/diffusion/prediction.h"
#include "roundtrip/diffusion/sampler.h"
#include "roundtrip/models/denoiser.h"

namespace roundtrip {

/// How frames are noised and what the network outputs; the defaults are the paper's.
struct DiffusionConfig {
  int64_t steps = 1000;            // K, noise levels
  std::string prediction = "eps";  // row of predictions()
  std::string target = "frame";    // row of frame_targets()
  std::string weight = "min_snr";  // row of loss_weights()
  std::string input = "noised";    // row of noised_inputs()
  std::string levels = "all";      // row of training_levels()
};

/// How the network sees the noised target: as it is, or as what is known of the clean frame from it
/// alone, sqrt(abar) x_k for frames of unit variance. At the highest level that is 5e-5 of the
/// noise (1000 levels), so that a single call from there is a regression.
enum class NoisedInput { noised, estimate };

/// At which noise levels the network is trained: at all alike, or only at those the sampler visits.
enum class TrainingLevels { all, sampled };

const Catalog<ChoiceRow<NoisedInput>>& noised_inputs();
const Catalog<ChoiceRow<TrainingLevels>>& training_levels();

/// Rows under "diffusion.".
void bind(DiffusionConfig& config, Settings& settings);

/// The learned step of a system: the denoiser with its noise schedule and target. One network for
/// both directions. Windows hold standardised latents.
class FramePredictor {
 public:
  /// `delta_std` per channel, for the target `delta` (TargetMap).
  FramePredictor(std::shared_ptr<Denoiser> denoiser, const DiffusionConfig& config,
                 const std::vector<double>& delta_std);

  /// Weighted squared error of the network's output for the frames `next` (B, F, h, w), noised to
  /// levels k (B) int64 by `noise`; mean over the batch, a scalar with its graph.
  torch::Tensor loss(const FrameWindows& inputs, const torch::Tensor& next, const torch::Tensor& k,
                     const torch::Tensor& noise);

  /// Samples the next frames, (B, F, h, w), without gradients.
  torch::Tensor predict(const FrameWindows& inputs, const Sampler& sampler,
                        const torch::Tensor& start, const StepNoise& noise = {});
  /// The same with the noise that belongs to each frame, as rollouts have it.
  torch::Tensor predict(const FrameWindows& inputs, const Sampler& sampler,
                        const InitialNoise& noise);

  /// The same with gradients, and as the diffusion sees it: what was generated (x0 of the target)
  /// beside the frames. For training over several steps.
  struct Sampled {
    torch::Tensor target, frame;  // (B, F, h, w) both
  };
  Sampled sample_with_gradients(const FrameWindows& inputs, const Sampler& sampler,
                                const InitialNoise& noise);
  /// Mean squared error of a generated target against the frames `next`, in units of the target.
  torch::Tensor sampled_loss(const torch::Tensor& target, const FrameWindows& inputs,
                             const torch::Tensor& next) const;

  /// J^T u (B, n, F, h, w) of the sampled frames with respect to the context, for cotangents u
  /// (B, F, h, w); the noise is held fixed.
  torch::Tensor vjp(const FrameWindows& inputs, const Sampler& sampler, const InitialNoise& noise,
                    const torch::Tensor& cotangent);

  const NoiseSchedule& schedule() const { return schedule_; }
  Denoiser& denoiser() { return *denoiser_; }
  const Denoiser& denoiser() const { return *denoiser_; }

 private:
  torch::Tensor sample(const FrameWindows& inputs, const Sampler& sampler,
                       const torch::Tensor& start, const StepNoise& noise);

  torch::Tensor network(const FrameWindows& inputs, const torch::Tensor& noised,
                        const torch::Tensor& k, const torch::Tensor& abar);

  std::shared_ptr<Denoiser> denoiser_;
  NoiseSchedule schedule_;
  Prediction prediction_;
  LossWeight weight_;
  NoisedInput input_;
  TargetMap map_;
};

}  // namespace roundtrip
