#include "roundtrip/models/frame_predictor.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/diffusion/noise_levels.h"
#include "roundtrip/diffusion/samplers.h"
#include "roundtrip/nn/init.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int64_t kContexts = 2;
const std::vector<double> kDeltaStd = {0.5, 2, 0.125};

// Returns zeros until `initialise` opens its gates.
std::shared_ptr<Denoiser> small_denoiser() {
  const DenoiserConfig config{.contexts = kContexts,
                              .width = 16,
                              .layers = 2,
                              .heads = 2,
                              .condition_width = 12,
                              .frequencies = 32};
  const auto denoiser = make_denoiser(config, {{3, 4, 4}}, 0);
  denoiser->to(torch::kFloat64);
  return denoiser;
}

std::shared_ptr<Denoiser> random_denoiser() {
  const auto denoiser = small_denoiser();
  initialise(*denoiser, 5);
  return denoiser;
}

DiffusionConfig config_of(const std::string& prediction, const std::string& target,
                          const std::string& weight = "flat") {
  return {.steps = 100, .prediction = prediction, .target = target, .weight = weight};
}

torch::Tensor frames(int64_t batch, const std::string& purpose) {
  return keyed_normal({batch, 3, 4, 4}, 1, purpose, 0, torch::kFloat64);
}

// Rows alternate in direction.
FrameWindows inputs(int64_t batch) {
  const torch::Tensor row = torch::arange(batch);
  return {.context = keyed_normal({batch, kContexts, 3, 4, 4}, 1, "context", 0, torch::kFloat64),
          .anchor = frames(batch, "anchor"),
          .target_index = 3 + 4 * row,
          .direction = 1 - 2 * row.remainder(2)};
}

FrameWindows row_of(const FrameWindows& all, int64_t b) {
  return {all.context.narrow(0, b, 1), all.anchor.narrow(0, b, 1), all.target_index.narrow(0, b, 1),
          all.direction.narrow(0, b, 1)};
}

double distance(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

// The loss of one row when the network says zero, from the formulas of the paper.
double loss_of_zero(const DiffusionConfig& config, double abar, const torch::Tensor& next,
                    const torch::Tensor& nearest, const torch::Tensor& noise) {
  torch::Tensor clean = next;
  if (config.target == "delta") {
    clean = (next - nearest) / torch::tensor(kDeltaStd, torch::kFloat64).view({3, 1, 1});
  }
  const double snr = abar / (1 - abar), capped = std::min(snr, 5.0);
  torch::Tensor target = clean;
  double weight = capped;
  if (config.prediction == "eps") {
    target = noise;
    weight = capped / snr;
  } else if (config.prediction == "v") {
    target = std::sqrt(abar) * noise - std::sqrt(1 - abar) * clean;
    weight = capped / (snr + 1);
  }
  return (config.weight == "flat" ? 1 : weight) * target.square().mean().item<double>();
}

TEST(FramePredictor, AtTheZeroStartTheLossIsTheWeightedSquareOfTheTarget) {
  const FrameWindows given = inputs(4);
  const torch::Tensor next = frames(4, "next"), noise = frames(4, "noise");
  const torch::Tensor k = torch::tensor(std::vector<int64_t>{0, 20, 60, 99});
  for (const std::string& prediction : names_of(predictions())) {
    for (const std::string& target : names_of(frame_targets())) {
      for (const std::string& weight : names_of(loss_weights())) {
        const DiffusionConfig config = config_of(prediction, target, weight);
        FramePredictor predictor(small_denoiser(), config, kDeltaStd);
        double expected = 0;
        for (int64_t b = 0; b < 4; ++b) {
          const double abar = predictor.schedule().alpha_bar(k[b].item<int64_t>());
          expected += loss_of_zero(config, abar, next[b], given.context[b][1], noise[b]) / 4;
        }
        // 192 terms summed in double, in another order.
        EXPECT_NEAR(predictor.loss(given, next, k, noise).item<double>(), expected,
                    1e-12 * expected)
            << prediction << " " << target << " " << weight;
      }
    }
  }
}

TEST(FramePredictor, ANetworkOfZerosThatSaysTheChangeRepeatsTheNearestFrame) {
  FramePredictor predictor(small_denoiser(), config_of("x0", "delta"), kDeltaStd);
  for (const char* spacing : {"leading", "trailing"}) {
    const auto sampler = make_sampler({"ddim", 4, spacing}, predictor.schedule());
    const torch::Tensor next = predictor.predict(inputs(3), *sampler, frames(3, "start"));
    EXPECT_TRUE(torch::equal(next, inputs(3).context.select(1, kContexts - 1)));
  }
}

// DDIM at eps = 0 only divides by what is left of the frame; at v = 0 it turns the start by the
// angle between two levels, of which the part along the frame is kept.
TEST(FramePredictor, ANetworkOfZerosScalesTheStartAsTheScheduleSays) {
  const torch::Tensor start = frames(2, "start");
  for (const std::string& prediction : names_of(predictions())) {
    FramePredictor predictor(small_denoiser(), config_of(prediction, "frame"), {});
    const auto sampler = make_sampler({"ddim", 4, "leading"}, predictor.schedule());
    const auto levels = noise_levels(predictor.schedule(), Spacing::leading, 4);
    double factor = prediction == "x0" ? 0 : 1;
    if (prediction == "eps") factor = 1 / std::sqrt(levels.front().alpha_bar);
    if (prediction == "v") {
      for (const NoiseLevel& level : levels) {
        factor *= std::cos(std::acos(std::sqrt(level.alpha_bar)) -
                           std::acos(std::sqrt(level.next_alpha_bar)));
      }
    }
    // acos near 1 loses half of the digits.
    EXPECT_LT(distance(predictor.predict(inputs(2), *sampler, start), factor * start),
              prediction == "v" ? 1e-7 : 1e-12)
        << prediction;
  }
}

TEST(FramePredictor, EveryInputReachesThePrediction) {
  FramePredictor predictor(random_denoiser(), config_of("v", "frame"), {});
  const auto sampler = make_sampler({"ddim", 2, "leading"}, predictor.schedule());
  const auto made = [&](const FrameWindows& given, const std::string& start = "start") {
    return predictor.predict(given, *sampler, frames(2, start));
  };
  const torch::Tensor plain = made(inputs(2));
  EXPECT_TRUE(torch::equal(made(inputs(2)), plain));
  const auto changed = [&](const std::function<void(FrameWindows&)>& change) {
    FrameWindows given = inputs(2);
    change(given);
    return distance(made(given), plain);
  };
  // Frames and weights are of order one; rounding would show as 1e-15.
  EXPECT_GT(changed([](auto& x) { x.direction = -x.direction; }), 1e-6);
  EXPECT_GT(changed([](auto& x) { x.target_index = x.target_index + 1; }), 1e-6);
  EXPECT_GT(changed([](auto& x) { x.anchor = x.anchor + 1; }), 1e-6);
  for (int64_t i = 0; i < kContexts; ++i) {
    EXPECT_GT(changed([&](auto& x) { x.context.select(1, i) += 1; }), 1e-6) << i;
  }
  EXPECT_GT(distance(made(inputs(2), "another start"), plain), 1e-6);
}

// One call at the noisiest level says which frame it sees in the start; with that frame and the
// rest of the start as noise, training sees the same call and finds nothing to correct.
TEST(FramePredictor, TrainingAndPredictionCallTheNetworkAlike) {
  const FrameWindows given = inputs(4);
  const torch::Tensor start = frames(4, "start"), k = torch::full({4}, 99, torch::kInt64);
  for (const std::string& prediction : names_of(predictions())) {
    for (const std::string& target : names_of(frame_targets())) {
      FramePredictor predictor(random_denoiser(), config_of(prediction, target), kDeltaStd);
      const auto sampler = make_sampler({"ddim", 1, "trailing"}, predictor.schedule());
      const torch::Tensor next = predictor.predict(given, *sampler, start);
      torch::Tensor clean = next;
      if (target == "delta") {
        clean = (next - given.context.select(1, kContexts - 1)) /
                torch::tensor(kDeltaStd, torch::kFloat64).view({3, 1, 1});
      }
      const double abar = predictor.schedule().alpha_bar(99);
      const torch::Tensor noise = (start - std::sqrt(abar) * clean) / std::sqrt(1 - abar);
      const double loss = predictor.loss(given, next, k, noise).item<double>();
      // The square of rounding errors.
      EXPECT_LT(loss, 1e-20) << prediction << " " << target;
      FrameWindows turned = given;
      turned.direction = -given.direction;
      EXPECT_GT(predictor.loss(turned, next, k, noise).item<double>(), 1e-10);
    }
  }
}

TEST(FramePredictor, RowsOfABatchDoNotSeeEachOther) {
  FramePredictor predictor(random_denoiser(), config_of("eps", "delta"), kDeltaStd);
  const auto sampler = make_sampler({"ddim", 4, "leading"}, predictor.schedule());
  const FrameWindows given = inputs(3);
  const torch::Tensor start = frames(3, "start"), noise = frames(3, "noise");
  const torch::Tensor next = frames(3, "next"), k = torch::tensor(std::vector<int64_t>{5, 50, 95});
  const torch::Tensor together = predictor.predict(given, *sampler, start);
  double sum = 0;
  for (int64_t b = 0; b < 3; ++b) {
    const torch::Tensor alone =
        predictor.predict(row_of(given, b), *sampler, start.narrow(0, b, 1));
    // Matrix products of another height may add in another order; eps is divided by sqrt(abar).
    EXPECT_LT(distance(alone[0], together[b]), 1e-11 * alone.abs().max().item<double>()) << b;
    sum +=
        predictor
            .loss(row_of(given, b), next.narrow(0, b, 1), k.narrow(0, b, 1), noise.narrow(0, b, 1))
            .item<double>();
  }
  EXPECT_NEAR(predictor.loss(given, next, k, noise).item<double>(), sum / 3, 1e-12 * sum);
}

TEST(FramePredictor, TheLossReachesEveryParameter) {
  const auto denoiser = random_denoiser();
  FramePredictor predictor(denoiser, config_of("v", "frame"), {});
  predictor
      .loss(inputs(2), frames(2, "next"), torch::tensor(std::vector<int64_t>{10, 70}),
            frames(2, "noise"))
      .backward();
  for (const auto& item : denoiser->named_parameters()) {
    ASSERT_TRUE(item.value().grad().defined()) << item.key();
    EXPECT_GT(item.value().grad().abs().max().item<double>(), 0) << item.key();
  }
  // One row of the batch runs forward, one backward.
  const torch::Tensor directions = denoiser->named_parameters()["direction_embedding"].grad();
  EXPECT_GT(directions[0].abs().max().item<double>(), 0);
  EXPECT_GT(directions[1].abs().max().item<double>(), 0);
}

TEST(FramePredictor, PredictionsCarryNoGraph) {
  FramePredictor predictor(random_denoiser(), config_of("x0", "frame"), {});
  const auto sampler = make_sampler({"ddim", 2, "leading"}, predictor.schedule());
  EXPECT_FALSE(predictor.predict(inputs(1), *sampler, frames(1, "start")).requires_grad());
}

TEST(FramePredictor, UnknownNamesAndMissingScalesAreErrors) {
  const auto error = [](const DiffusionConfig& config) {
    return error_of([&] { FramePredictor(small_denoiser(), config, {}); });
  };
  EXPECT_THAT(error(config_of("epss", "frame")),
              AllOf(HasSubstr("diffusion.prediction"), HasSubstr("did you mean eps?")));
  EXPECT_THAT(error(config_of("eps", "frames")),
              AllOf(HasSubstr("diffusion.target"), HasSubstr("did you mean frame?")));
  EXPECT_THAT(error(config_of("eps", "frame", "flatt")),
              AllOf(HasSubstr("diffusion.weight"), HasSubstr("did you mean flat?")));
  EXPECT_THAT(error(config_of("eps", "delta")),
              HasSubstr("delta_std: expected one number per channel, found none"));
}

TEST(FramePredictor, SettingsOfTheDiffusion) {
  DiffusionConfig config;
  Settings settings("model");
  bind(config, settings);
  settings.read_toml(
      "[diffusion]\nsteps = 7\nprediction = \"x0\"\ntarget = \"delta\"\nweight = \"flat\"\n");
  EXPECT_EQ(config.steps, 7);
  EXPECT_EQ(config.prediction, "x0");
  EXPECT_EQ(config.target, "delta");
  EXPECT_EQ(config.weight, "flat");
  EXPECT_THAT(error_of([&] { settings.read_override("diffusion.steps=1"); }),
              HasSubstr("expected at least 2, found 1"));
}

// With the scaled input a single call from the highest level sees sqrt(abar) = 4.9e-4 of the noise
// (100 levels: abar 2.4e-7), and depends on it by as much less; ten times that leaves room for the
// network's curvature.
TEST(FramePredictor, TheEstimateInputHidesPureNoise) {
  DiffusionConfig config = config_of("x0", "delta");
  const auto spread = [&](const std::string& input) {
    config.input = input;
    FramePredictor predictor(random_denoiser(), config, kDeltaStd);
    const auto sampler = make_sampler({.steps = 1, .spacing = "trailing"}, predictor.schedule());
    const torch::Tensor one = predictor.predict(inputs(2), *sampler, frames(2, "one"));
    const torch::Tensor two = predictor.predict(inputs(2), *sampler, frames(2, "two"));
    return distance(one, two);
  };
  EXPECT_GT(spread("noised"), 1e-2);
  EXPECT_LT(spread("estimate"), 5e-3 * spread("noised"));
}

// One call from pure noise: what training over several steps sees is what sampling gives.
TEST(FramePredictor, SamplingWithGradientsIsSampling) {
  FramePredictor predictor(random_denoiser(), config_of("x0", "delta"), kDeltaStd);
  const auto sampler = make_sampler({.steps = 2, .spacing = "trailing"}, predictor.schedule());
  const InitialNoise noise(NoiseKey::fixed, 4, {3, 4, 4}, torch::kFloat64);
  const FrameWindows given = inputs(3);
  const auto made = predictor.sample_with_gradients(given, *sampler, noise);
  EXPECT_TRUE(torch::equal(made.frame.detach(), predictor.predict(given, *sampler, noise)));
  EXPECT_TRUE(made.frame.requires_grad());
  // In units of the target: the frame's error over the spread of a step.
  const torch::Tensor next = frames(3, "next");
  const torch::Tensor error = (made.frame - next) / torch::tensor(kDeltaStd).view({1, 3, 1, 1});
  EXPECT_NEAR(predictor.sampled_loss(made.target, given, next).item<double>(),
              error.square().mean().item<double>(), 1e-10);
}

}  // namespace
}  // namespace roundtrip
