#include "roundtrip/rollout/diffusion_stepper.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include "roundtrip/diffusion/samplers.h"
#include "roundtrip/rollout/surrogate.h"
#include "tests/support/legs.h"
#include "tests/support/tiny_model.h"

namespace roundtrip {
namespace {

FrameWindows some_inputs(int64_t rows) {
  std::vector<int64_t> targets, directions;
  for (int64_t i = 0; i < rows; ++i) {
    targets.push_back(2 + i % 5);
    directions.push_back(i % 2 == 0 ? 1 : -1);
  }
  return {keyed_normal({rows, 2, 2, 8, 8}, 1, "context"),
          keyed_normal({rows, 2, 8, 8}, 1, "anchor"), torch::tensor(targets),
          torch::tensor(directions)};
}

TEST(DiffusionStepper, IsTheSampledPredictor) {
  const Model model = tiny_model();
  const auto stepper = make_diffusion_stepper(model, sampling_of(model.metadata));
  EXPECT_EQ(stepper->contexts(), 2);
  const FrameWindows inputs = some_inputs(4);
  const auto sampler = make_sampler(model.metadata.sampler, model.predictor->schedule());
  const InitialNoise noise(NoiseKey::fixed, 0, {2, 8, 8});
  EXPECT_TRUE(
      torch::equal(stepper->step(inputs), model.predictor->predict(inputs, *sampler, noise)));
}

TEST(DiffusionStepper, IsAMap) {
  const Model model = tiny_model();
  const auto stepper = make_diffusion_stepper(model, sampling_of(model.metadata));
  const FrameWindows inputs = some_inputs(3);
  EXPECT_TRUE(torch::equal(stepper->step(inputs), stepper->step(inputs)));
  SamplingConfig other = sampling_of(model.metadata);
  other.noise_seed = 1;
  EXPECT_FALSE(
      torch::equal(stepper->step(inputs), make_diffusion_stepper(model, other)->step(inputs)));
}

// Legs of one to eight steps, both ways.
std::vector<Leg> some_legs(int64_t count) {
  const FrameWindows starts = some_inputs(count);
  std::vector<Leg> legs(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    legs[static_cast<size_t>(i)] = {
        .window = one_window(starts.context[i], starts.anchor[i], 5, i % 2 == 0 ? 1 : -1),
        .steps = 1 + i % 8};
  }
  return legs;
}

// A row in another batch: matrix products of another size may sum in another order. Five calls of
// a network in single precision (epsilon 6e-8) over 8 steps: 1e-4 of the frames' size is the bound
// that the documentation states; what is measured is about 1e-6.
TEST(DiffusionStepper, TheBatchMattersByRoundingOnly) {
  const Model model = tiny_model();
  const auto stepper = make_diffusion_stepper(model, sampling_of(model.metadata));
  const std::vector<Leg> legs = some_legs(20);
  const torch::Tensor alone = last_frames(*stepper, legs, 1);
  for (const int64_t batch : {3, 8, 64}) {
    const double difference =
        (alone - last_frames(*stepper, legs, batch)).abs().max().item<double>();
    EXPECT_LT(difference, 1e-4 * alone.abs().max().item<double>()) << "batch " << batch;
    RecordProperty("batch_" + std::to_string(batch), std::to_string(difference));
  }
}

// Alone in every call a row meets the same arithmetic always.
TEST(DiffusionStepper, OneRowACallTheBatchDoesNotMatterAtAll) {
  const Model model = tiny_model();
  const auto stepper = make_diffusion_stepper(model, sampling_of(model.metadata));
  std::vector<Leg> legs = some_legs(20);
  const torch::Tensor alone = last_frames(*stepper, legs, /*batch=*/1, /*one_by_one=*/true);
  for (const int64_t batch : {3, 8, 64}) {
    EXPECT_TRUE(torch::equal(alone, last_frames(*stepper, legs, batch, /*one_by_one=*/true)))
        << "batch " << batch;
  }
  std::reverse(legs.begin(), legs.end());
  EXPECT_TRUE(
      torch::equal(alone.flip(0), last_frames(*stepper, legs, /*batch=*/64, /*one_by_one=*/true)));
}

// Samples of a model differ by seed; ancestral ones draw anew for every frame and direction, or a
// rollout of them would be one more map.
TEST(DiffusionSurrogate, SamplesDrawTheNoiseTheyShould) {
  const Model model = tiny_model();
  const SamplingConfig own = sampling_of(model.metadata);
  const Surrogate surrogate = make_diffusion_surrogate(model, own);
  const FrameWindows inputs = some_inputs(3);
  const auto stepped = [&](int64_t seed, const char* sampler, const char* key) {
    SamplingConfig config = own;
    config.noise_seed += seed;
    config.sampler.name = sampler;
    config.noise_key = key;
    return make_diffusion_stepper(model, config)->step(inputs);
  };
  EXPECT_TRUE(torch::equal(surrogate.sample(0, false)->step(inputs), stepped(0, "ddim", "fixed")));
  EXPECT_TRUE(torch::equal(surrogate.sample(2, false)->step(inputs), stepped(2, "ddim", "fixed")));
  const torch::Tensor ancestral = surrogate.sample(2, true)->step(inputs);
  EXPECT_TRUE(torch::equal(ancestral, stepped(2, "ancestral", "direction")));
  EXPECT_FALSE(torch::equal(ancestral, stepped(2, "ancestral", "fixed")));
}

TEST(DiffusionStepper, SettingsSayWhatTheBundleWouldOtherwise) {
  const Model model = tiny_model();
  SamplingConfig config = sampling_of(model.metadata);
  Settings settings("sampling");
  bind(config, settings);
  settings.read_override("sampler.steps=2");
  settings.read_override("sampler.noise_seed=9");
  EXPECT_EQ(config.sampler.steps, 2);
  EXPECT_EQ(config.noise_seed, 9);
  EXPECT_EQ(config.sampler.name, "ddim");
}

}  // namespace
}  // namespace roundtrip
