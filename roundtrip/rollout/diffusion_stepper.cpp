#include "roundtrip/rollout/diffusion_stepper.h"

#include <torch/types.h>

#include "roundtrip/diffusion/samplers.h"
#include "roundtrip/diffusion/start_noise.h"

namespace roundtrip {
namespace {

class DiffusionStepper final : public Stepper {
 public:
  DiffusionStepper(const Model& model, const SamplingConfig& config)
      : predictor_(model.predictor),
        contexts_(model.facts.denoiser.contexts),
        shape_(model.codec->latent_shape()),
        sampler_(make_sampler(config.sampler, model.predictor->schedule())),
        noise_(find_entry(noise_keys(), "sampler.noise_key", config.noise_key).value,
               static_cast<uint64_t>(config.noise_seed),
               {shape_.channels, shape_.height, shape_.width}, type()) {}

  torch::Tensor step(const PredictionInputs& inputs) override {
    return predictor_->predict(inputs, *sampler_, noise_);
  }

  torch::Tensor pull_back(const PredictionInputs& inputs, const torch::Tensor& cotangent) override {
    return predictor_->pull_back(inputs, *sampler_, noise_, cotangent);
  }

  int64_t contexts() const override { return contexts_; }
  LatentShape frame() const override { return shape_; }
  torch::ScalarType type() const override {
    return predictor_->denoiser().parameters().front().scalar_type();
  }

 private:
  std::shared_ptr<FramePredictor> predictor_;
  int64_t contexts_;
  LatentShape shape_;
  std::unique_ptr<Sampler> sampler_;
  StartNoise noise_;
};

}  // namespace

SamplingConfig sampling_of(const ModelFacts& facts) {
  return {facts.sampler, facts.noise_key, facts.noise_seed};
}

void bind(SamplingConfig& config, Settings& settings) {
  bind(config.sampler, settings);
  settings
      .add("sampler.noise_key", config.noise_key, "what start noise depends on besides its seed")
      .one_of(names_of(noise_keys()));
  settings.add("sampler.noise_seed", config.noise_seed, "seed of the start noise").at_least(0);
}

std::unique_ptr<Stepper> make_diffusion_stepper(const Model& model, const SamplingConfig& config) {
  return std::make_unique<DiffusionStepper>(model, config);
}

}  // namespace roundtrip
