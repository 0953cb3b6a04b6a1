#include "roundtrip/rollout/diffusion_stepper.h"

#include <utility>

#include <torch/types.h>

#include "roundtrip/diffusion/initial_noise.h"
#include "roundtrip/diffusion/samplers.h"

namespace roundtrip {
namespace {

// Of parts that outlive it.
class DiffusionStepper : public Stepper {
 public:
  DiffusionStepper(FramePredictor& predictor, const Sampler& sampler, const InitialNoise& noise)
      : predictor_(predictor), sampler_(sampler), noise_(noise) {}

  torch::Tensor step(const FrameWindows& windows) override {
    return predictor_.predict(windows, sampler_, noise_);
  }

  torch::Tensor vjp(const FrameWindows& windows, const torch::Tensor& cotangent) override {
    return predictor_.vjp(windows, sampler_, noise_, cotangent);
  }

  int64_t contexts() const override { return predictor_.denoiser().contexts(); }
  FrameShape frame() const override { return noise_.frame(); }
  torch::ScalarType type() const override { return type_of(predictor_); }

  static torch::ScalarType type_of(FramePredictor& predictor) {
    return predictor.denoiser().parameters().front().scalar_type();
  }

 private:
  FramePredictor& predictor_;
  const Sampler& sampler_;
  const InitialNoise& noise_;
};

// What a model's stepper refers to; a base, so that it is there first.
struct SteppedModel {
  std::shared_ptr<FramePredictor> predictor;
  std::unique_ptr<Sampler> sampler;
  InitialNoise noise;
};

class ModelStepper final : SteppedModel, public DiffusionStepper {
 public:
  explicit ModelStepper(SteppedModel model)
      : SteppedModel(std::move(model)), DiffusionStepper(*predictor, *sampler, noise) {}
};

}  // namespace

SamplingConfig sampling_of(const ModelMetadata& metadata) {
  return {metadata.sampler, metadata.noise_key, metadata.noise_seed};
}

void bind(SamplingConfig& config, Settings& settings) {
  bind(config.sampler, settings);
  settings
      .add("sampler.noise_key", config.noise_key,
           "what the initial noise depends on besides its seed")
      .one_of(names_of(noise_keys()));
  settings.add("sampler.noise_seed", config.noise_seed, "seed of the initial noise").at_least(0);
}

std::unique_ptr<Stepper> make_diffusion_stepper(const Model& model, const SamplingConfig& config) {
  const InitialNoise noise(find_row(noise_keys(), "sampler.noise_key", config.noise_key).value,
                           static_cast<uint64_t>(config.noise_seed), model.codec->latent_shape(),
                           DiffusionStepper::type_of(*model.predictor));
  return std::make_unique<ModelStepper>(SteppedModel{
      model.predictor, make_sampler(config.sampler, model.predictor->schedule()), noise});
}

std::unique_ptr<Stepper> make_diffusion_stepper(FramePredictor& predictor, const Sampler& sampler,
                                                const InitialNoise& noise) {
  return std::make_unique<DiffusionStepper>(predictor, sampler, noise);
}

}  // namespace roundtrip
