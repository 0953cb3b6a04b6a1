#include "roundtrip/models/frame_predictor.h"

#include <utility>

#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace roundtrip {
namespace {

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
  settings.add("diffusion.input", config.input, "how the network sees the noised target")
      .one_of(names_of(noised_inputs()));
  settings.add("diffusion.levels", config.levels, "noise levels the network is trained at")
      .one_of(names_of(training_levels()));
}

const Catalog<ChoiceRow<NoisedInput>>& noised_inputs() {
  static const Catalog<ChoiceRow<NoisedInput>> rows = {
      {"noised", "as it is (the paper's)", NoisedInput::noised},
      {"estimate", "times sqrt(abar): zero where nothing but noise is left", NoisedInput::estimate},
  };
  return rows;
}

const Catalog<ChoiceRow<TrainingLevels>>& training_levels() {
  static const Catalog<ChoiceRow<TrainingLevels>> rows = {
      {"all", "all alike (the paper's)", TrainingLevels::all},
      {"sampled", "only those the sampler visits, for few calls", TrainingLevels::sampled},
  };
  return rows;
}

FramePredictor::FramePredictor(std::shared_ptr<Denoiser> denoiser, const DiffusionConfig& config,
                               const std::vector<double>& delta_std)
    : denoiser_(std::move(denoiser)),
      schedule_(config.steps),
      prediction_(find_row(predictions(), "diffusion.prediction", config.prediction).value),
      weight_(find_row(loss_weights(), "diffusion.weight", config.weight).value),
      input_(find_row(noised_inputs(), "diffusion.input", config.input).value),
      map_(find_row(frame_targets(), "diffusion.target", config.target).value, delta_std) {}

torch::Tensor FramePredictor::loss(const FrameWindows& inputs, const torch::Tensor& next,
                                   const torch::Tensor& k, const torch::Tensor& noise) {
  const torch::Tensor abar = schedule_.alpha_bars(k, next.dim());  // (B, 1, 1, 1)
  const torch::Tensor clean = map_.to_target(next, inputs.nearest());
  const torch::Tensor output = network(inputs, add_noise(clean, noise, abar), k, abar);
  const torch::Tensor weights = weights_of(weight_, prediction_, abar).to(next.scalar_type());
  return (weights * (output - training_target(prediction_, clean, noise, abar)).square()).mean();
}

torch::Tensor FramePredictor::network(const FrameWindows& inputs, const torch::Tensor& noised,
                                      const torch::Tensor& k, const torch::Tensor& abar) {
  const torch::Tensor seen =
      input_ == NoisedInput::noised ? noised : abar.sqrt().to(noised.scalar_type()) * noised;
  return (*denoiser_)(seen, inputs.context, inputs.anchor, k, inputs.target_index,
                      inputs.direction);
}

// What is generated, in units of the target.
torch::Tensor FramePredictor::sample(const FrameWindows& inputs, const Sampler& sampler,
                                     const torch::Tensor& start, const StepNoise& noise) {
  const Denoise denoise = [&](const torch::Tensor& noised, int64_t k) {
    const torch::Tensor level = torch::full_like(inputs.target_index, k);
    const torch::Tensor abar = schedule_.alpha_bars(level, noised.dim());
    return estimate(prediction_, network(inputs, noised, level, abar), noised, abar);
  };
  return sampler.sample(denoise, start, noise);
}

torch::Tensor FramePredictor::predict(const FrameWindows& inputs, const Sampler& sampler,
                                      const torch::Tensor& start, const StepNoise& noise) {
  const torch::NoGradGuard no_grad;
  return map_.to_frame(sample(inputs, sampler, start, noise), inputs.nearest());
}

torch::Tensor FramePredictor::predict(const FrameWindows& inputs, const Sampler& sampler,
                                      const InitialNoise& noise) {
  const auto targets = numbers_of(inputs.target_index), directions = numbers_of(inputs.direction);
  const auto like = inputs.context.options();
  return predict(inputs, sampler, noise.initial(targets, directions).to(like),
                 [&](int64_t call) { return noise.step(call, targets, directions).to(like); });
}

torch::Tensor FramePredictor::vjp(const FrameWindows& inputs, const Sampler& sampler,
                                  const InitialNoise& noise, const torch::Tensor& cotangent) {
  const torch::AutoGradMode with_gradients(true);
  FrameWindows leaf = inputs;
  leaf.context = inputs.context.detach().clone().requires_grad_(true);
  return torch::autograd::grad({sample_with_gradients(leaf, sampler, noise).frame}, {leaf.context},
                               {cotangent})
      .front();
}

FramePredictor::Sampled FramePredictor::sample_with_gradients(const FrameWindows& inputs,
                                                              const Sampler& sampler,
                                                              const InitialNoise& noise) {
  const auto targets = numbers_of(inputs.target_index), directions = numbers_of(inputs.direction);
  const auto like = inputs.context.options();
  const torch::Tensor target =
      sample(inputs, sampler, noise.initial(targets, directions).to(like),
             [&](int64_t call) { return noise.step(call, targets, directions).to(like); });
  return {target, map_.to_frame(target, inputs.nearest())};
}

torch::Tensor FramePredictor::sampled_loss(const torch::Tensor& target, const FrameWindows& inputs,
                                           const torch::Tensor& next) const {
  return (target - map_.to_target(next, inputs.nearest())).square().mean();
}

}  // namespace roundtrip
