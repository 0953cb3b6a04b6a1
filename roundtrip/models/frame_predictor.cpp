#include "roundtrip/models/frame_predictor.h"

#include <utility>

#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace roundtrip {
namespace {

torch::Tensor nearest_of(const PredictionInputs& inputs) { return inputs.context.select(1, -1); }

std::vector<int64_t> numbers_of(const torch::Tensor& tensor) {
  const torch::Tensor whole = tensor.cpu().contiguous();
  return {whole.data_ptr<int64_t>(), whole.data_ptr<int64_t>() + whole.numel()};
}

}  // namespace

void bind(DiffusionConfig& config, Settings& settings) {
  settings.add("diffusion.steps", config.steps, "noise levels").at_least(2);
  settings.add("diffusion.prediction", config.prediction, "what the network outputs")
      .one_of(names_of(predictions()));
  settings.add("diffusion.target", config.target, "the next frame, or its normalised change")
      .one_of(names_of(frame_targets()));
  settings.add("diffusion.weight", config.weight, "how much a noise level counts in the loss")
      .one_of(names_of(loss_weights()));
}

FramePredictor::FramePredictor(Denoiser denoiser, const DiffusionConfig& config,
                               const std::vector<double>& delta_std)
    : denoiser_(std::move(denoiser)),
      schedule_(config.steps),
      prediction_(find_row(predictions(), "diffusion.prediction", config.prediction).value),
      weight_(find_row(loss_weights(), "diffusion.weight", config.weight).value),
      map_(find_row(frame_targets(), "diffusion.target", config.target).value, delta_std) {}

torch::Tensor FramePredictor::loss(const PredictionInputs& inputs, const torch::Tensor& next,
                                   const torch::Tensor& k, const torch::Tensor& noise) {
  const torch::Tensor abar = schedule_.alpha_bars(k, next.dim());  // (B, 1, 1, 1)
  const torch::Tensor clean = map_.to_target(next, nearest_of(inputs));
  const torch::Tensor output = denoiser_(add_noise(clean, noise, abar), inputs.context,
                                         inputs.anchor, k, inputs.target_index, inputs.direction);
  const torch::Tensor weights = weights_of(weight_, prediction_, abar).to(next.scalar_type());
  return (weights * (output - training_target(prediction_, clean, noise, abar)).square()).mean();
}

torch::Tensor FramePredictor::sample(const PredictionInputs& inputs, const Sampler& sampler,
                                     const torch::Tensor& start, const StepNoise& noise) {
  const Denoise denoise = [&](const torch::Tensor& noised, int64_t k) {
    const torch::Tensor level = torch::full_like(inputs.target_index, k);
    const torch::Tensor output = denoiser_(noised, inputs.context, inputs.anchor, level,
                                           inputs.target_index, inputs.direction);
    return estimate(prediction_, output, noised, schedule_.alpha_bars(level, noised.dim()));
  };
  return map_.to_frame(sampler.sample(denoise, start, noise), nearest_of(inputs));
}

torch::Tensor FramePredictor::predict(const PredictionInputs& inputs, const Sampler& sampler,
                                      const torch::Tensor& start, const StepNoise& noise) {
  const torch::NoGradGuard no_grad;
  return sample(inputs, sampler, start, noise);
}

torch::Tensor FramePredictor::predict(const PredictionInputs& inputs, const Sampler& sampler,
                                      const StartNoise& noise) {
  const auto targets = numbers_of(inputs.target_index), directions = numbers_of(inputs.direction);
  const auto like = inputs.context.options();
  return predict(inputs, sampler, noise.start(targets, directions).to(like),
                 [&](int64_t call) { return noise.step(call, targets, directions).to(like); });
}

torch::Tensor FramePredictor::pull_back(const PredictionInputs& inputs, const Sampler& sampler,
                                        const StartNoise& noise, const torch::Tensor& cotangent) {
  const torch::AutoGradMode with_gradients(true);
  PredictionInputs leaf = inputs;
  leaf.context = inputs.context.detach().clone().requires_grad_(true);
  const auto targets = numbers_of(inputs.target_index), directions = numbers_of(inputs.direction);
  const auto like = inputs.context.options();
  const torch::Tensor next =
      sample(leaf, sampler, noise.start(targets, directions).to(like),
             [&](int64_t call) { return noise.step(call, targets, directions).to(like); });
  return torch::autograd::grad({next}, {leaf.context}, {cotangent}).front();
}

}  // namespace roundtrip
