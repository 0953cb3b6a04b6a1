#include "roundtrip/train/denoiser_task.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/random.h"
#include "roundtrip/nn/init.h"
#include "roundtrip/rollout/diffusion_stepper.h"
#include "roundtrip/rollout/roll_out.h"

namespace roundtrip {
namespace {

// Tensors of a batch, by position.
enum BatchSlot : size_t {
  kTarget,        // (B, F, h, w)
  kContext,       // (B, n + m, F, h, w); the model makes m more frames from the first n
  kAnchor,        // (B, F, h, w)
  kTargetIndex,   // (B)
  kDirection,     // (B)
  kLevel,         // (B), noise level
  kNoise,         // (B, F, h, w)
  kContextNoise,  // (B, n + 1, F, h, w) on contexts and anchor; absent without context noise
};

// Draws of one sample, by position.
enum Draw : uint64_t { kDrawLevel, kDrawContextStd };
// Draws of one optimiser step.
enum StepDraw : uint64_t { kDrawPushed, kDrawWhether, kDrawTrained };

// The windows of a batch, seen from `ahead` frames before their targets: the context is the first
// `contexts` frames.
FrameWindows windows_of(const TrainingTask::Batch& batch, int64_t contexts, int64_t ahead) {
  return {batch[kContext].narrow(1, 0, contexts), batch[kAnchor],
          batch[kTargetIndex] - ahead * batch[kDirection], batch[kDirection]};
}

}  // namespace

void bind(DenoiserSampling& sampling, const std::string& prefix, Settings& settings) {
  settings
      .add(prefix + "p_bwd", sampling.p_bwd, "share of backward samples; 0 and 1 train specialists")
      .within(0, 1);
  settings
      .add(prefix + "anchor_augmentation", sampling.anchor_augmentation,
           "share of anchors at sub-trajectory starts and ends")
      .within(0, 1);
  settings.add(prefix + "full_windows", sampling.full_windows,
               "leave out windows that the anchor has to fill up");
  settings
      .add(prefix + "context_noise", sampling.context_noise,
           "largest standard deviation of noise on contexts and anchor")
      .at_least(0);
  settings
      .add(prefix + "pushforward", sampling.pushforward,
           "most model steps that make the context; 0 = true contexts")
      .within(0, 64);
  settings
      .add(prefix + "pushforward_share", sampling.pushforward_share,
           "share of optimiser steps whose contexts the model makes")
      .within(0, 1);
  settings
      .add(prefix + "unroll", sampling.unroll,
           "most frames sampled and trained through one after the other; 1 = one frame")
      .within(1, 64);
  settings
      .add(prefix + "unroll_after", sampling.unroll_after,
           "optimiser steps before pushforward and unrolling begin")
      .at_least(0);
}

DenoiserTask::DenoiserTask(Parts parts, const DenoiserSampling& sampling, uint64_t seed,
                           std::string purpose)
    : parts_(std::move(parts)),
      sampling_(sampling),
      seed_(seed),
      purpose_(std::move(purpose)),
      stepper_(make_diffusion_stepper(*parts_.predictor, parts_.sampler, parts_.noise)),
      samples_(parts_.latents.lengths(), {.contexts = parts_.predictor->denoiser().contexts(),
                                          .p_bwd = sampling.p_bwd,
                                          .anchor_augmentation = sampling.anchor_augmentation,
                                          .full_windows = sampling.full_windows,
                                          .seed = seed}) {
  const int64_t shortest = std::ranges::min(parts_.latents.lengths());
  const int64_t most = sampling.pushforward + sampling.unroll - 1;
  const int64_t least =
      most + 1 + (sampling.full_windows ? parts_.predictor->denoiser().contexts() : 1);
  if (shortest >= least) return;
  throw Error("config", fmt::format("pushforward, unroll: {} model steps need trajectories of {} "
                                    "frames, found one of {}",
                                    most, least, shortest));
}

torch::nn::Module& DenoiserTask::module() { return parts_.predictor->denoiser(); }

DenoiserTask::Unrolling DenoiserTask::unrolling(int64_t step) const {
  Unrolling found;
  if (step < sampling_.unroll_after) return found;
  const RandomStream draws(seed_, purpose_ + ".unroll", static_cast<uint64_t>(step));
  const auto up_to = [&](int64_t most, StepDraw draw) {
    return 1 + static_cast<int64_t>(draws.uniform(draw) * static_cast<double>(most));
  };
  if (sampling_.pushforward > 0 && draws.uniform(kDrawWhether) < sampling_.pushforward_share) {
    found.pushed = up_to(sampling_.pushforward, kDrawPushed);
  }
  found.trained = up_to(sampling_.unroll, kDrawTrained);
  return found;
}

int64_t DenoiserTask::level(double uniform) const {
  const auto& levels = parts_.levels;
  if (levels.empty()) {
    return static_cast<int64_t>(uniform *
                                static_cast<double>(parts_.predictor->schedule().steps()));
  }
  return levels[static_cast<size_t>(uniform * static_cast<double>(levels.size()))];
}

// With m more frames the target lies at least m + 1 frames from the anchor, m + n for full windows;
// where it does not, the anchor moves away, and at a trajectory's end the target moves too.
TrainingSample DenoiserTask::sample(int64_t index, int64_t more) const {
  TrainingSample sample = samples_.at(index);
  if (more == 0) return sample;
  const int direction = sample.window.direction;
  const int64_t last = parts_.latents.lengths()[static_cast<size_t>(sample.trajectory)] - 1;
  int64_t target = sample.window.target, anchor = sample.window.anchor;
  const auto contexts = static_cast<int64_t>(sample.window.context.size());
  const int64_t least = more + (sampling_.full_windows ? contexts : 1);
  if ((target - anchor) * direction < least) {
    anchor = std::clamp<int64_t>(target - direction * least, 0, last);
    if ((target - anchor) * direction < least) target = anchor + direction * least;
  }
  sample.window = window_at(target, direction, contexts + more, anchor);
  return sample;
}

TrainingTask::Batch DenoiserTask::load(int64_t step, const std::vector<int64_t>& samples) const {
  const int64_t more = unrolling(step).more();
  std::vector<TrainingSample> windows;
  std::vector<int64_t> k;
  std::vector<torch::Tensor> noise, context_noise;
  const FrameShape& latent = parts_.latents.latent();
  for (const int64_t index : samples) {
    const auto key = static_cast<uint64_t>(index);
    windows.push_back(sample(index, more));
    const RandomStream draws(seed_, purpose_ + ".sample", key);
    k.push_back(level(draws.uniform(kDrawLevel)));
    noise.push_back(keyed_normal(latent.sizes(), seed_, purpose_ + ".noise", key));
    if (sampling_.context_noise == 0) continue;
    const auto n = parts_.predictor->denoiser().contexts();
    const double std = draws.uniform(kDrawContextStd, 0, sampling_.context_noise);
    context_noise.push_back(
        std * keyed_normal(latent.sizes({n + 1}), seed_, purpose_ + ".context_noise", key));
  }
  const auto [frames, target] = parts_.latents.gather(windows);
  Batch batch = {target,           frames.context,   frames.anchor,      frames.target_index,
                 frames.direction, torch::tensor(k), torch::stack(noise)};
  if (!context_noise.empty()) batch.push_back(torch::stack(context_noise));
  return batch;
}

torch::Tensor DenoiserTask::loss(int64_t step, const Batch& given) {
  const auto options = module().parameters().front().options();
  Batch batch;
  for (const torch::Tensor& tensor : given) {
    batch.push_back(tensor.is_floating_point() ? tensor.to(options.dtype()) : tensor);
    batch.back() = batch.back().to(options.device());
  }
  const Unrolling steps = unrolling(step);
  const int64_t n = parts_.predictor->denoiser().contexts();
  FrameWindows windows = roll_out(windows_of(batch, n, steps.more()), *stepper_, steps.pushed);
  if (batch.size() > kContextNoise) {
    windows.context = windows.context + batch[kContextNoise].narrow(1, 0, n);
    windows.anchor = windows.anchor + batch[kContextNoise].select(1, n);
  }
  if (steps.trained > 1) return unrolled_loss(batch, windows, steps.trained);
  return parts_.predictor->loss(windows, batch[kTarget], batch[kLevel], batch[kNoise]);
}

// True frames of the steps between lie behind the first n contexts.
torch::Tensor DenoiserTask::unrolled_loss(const Batch& batch, FrameWindows windows, int64_t steps) {
  torch::Tensor sum;
  for (int64_t left = steps - 1; left >= 0; --left) {
    const auto made =
        parts_.predictor->sample_with_gradients(windows, parts_.sampler, parts_.noise);
    const torch::Tensor truth =
        left == 0 ? batch[kTarget] : batch[kContext].select(1, batch[kContext].size(1) - left);
    const torch::Tensor loss = parts_.predictor->sampled_loss(made.target, windows, truth);
    sum = sum.defined() ? sum + loss : loss;
    if (left > 0) windows = windows.advanced(made.frame);
  }
  return sum / static_cast<double>(steps);
}

Validation DenoiserTask::validate() { return parts_.validation.run(*parts_.predictor); }

}  // namespace roundtrip
