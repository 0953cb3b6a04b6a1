#include "roundtrip/train/denoiser_task.h"

#include <cmath>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/diffusion/samplers.h"
#include "tests/data/data_folder.h"
#include "tests/support/error_of.h"
#include "tests/train/small_model.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;
using Batch = TrainingTask::Batch;

// Places in a batch, as the loss takes them apart.
enum : size_t { kTarget, kContext, kAnchor, kTargetIndex, kDirection, kLevel, kNoise, kExtra };

constexpr int64_t kLevels = 50;

class DenoiserTaskTest : public DataTest {
 protected:
  DenoiserTaskTest() : latents_(small_latents(path("latents"), {6, 6, 9})) {}

  DenoiserTask task(const DenoiserSampling& sampling, uint64_t seed = 3,
                    const std::string& purpose = "denoiser") {
    return {{predictor_, latents_, *sampler_, noise_, validation_}, sampling, seed, purpose};
  }
  torch::Tensor frame(int64_t trajectory, int64_t index) const {
    return latents_.frame(trajectory, index);
  }
  // The trajectory that holds `target` at `index`; random frames differ.
  int64_t trajectory_of(const torch::Tensor& target, int64_t index) const {
    for (int64_t i = 0; i < latents_.trajectories(); ++i) {
      const int64_t length = latents_.lengths()[static_cast<size_t>(i)];
      if (index >= 0 && index < length && torch::equal(frame(i, index), target)) return i;
    }
    return -1;
  }
  // Where in a trajectory a frame stands.
  int64_t index_of(const torch::Tensor& found, int64_t trajectory) const {
    for (int64_t i = 0; i < latents_.lengths()[static_cast<size_t>(trajectory)]; ++i) {
      if (torch::equal(frame(trajectory, i), found)) return i;
    }
    return -1;
  }
  static constexpr int64_t kEpoch = 5 + 5 + 8;

  LatentCache latents_;
  std::shared_ptr<FramePredictor> predictor_ = small_predictor(
      {.steps = kLevels, .prediction = "v", .target = "delta"}, /*random_weights=*/true);
  std::unique_ptr<Sampler> sampler_ = make_sampler({"ddim", 5, "leading"}, predictor_->schedule());
  InitialNoise noise_{NoiseKey::fixed, 0, {3, 4, 4}};
  RolloutValidation validation_{latents_, *sampler_, noise_, {.live = {0, 1, 2}}, {.samples = 8}};
};

std::vector<int64_t> first_samples(int64_t count) {
  std::vector<int64_t> samples(static_cast<size_t>(count));
  std::iota(samples.begin(), samples.end(), 0);
  return samples;
}

void expect_same(const Batch& a, const Batch& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(torch::equal(a[i], b[i])) << i;
}

torch::Tensor in_double(const torch::Tensor& x) { return x.to(torch::kFloat64); }

TEST_F(DenoiserTaskTest, ABatchIsAFunctionOfSeedStepAndSamples) {
  for (const int64_t pushforward : {0, 3}) {
    const DenoiserSampling sampling{.context_noise = 0.5, .pushforward = pushforward};
    const DenoiserTask first = task(sampling), second = task(sampling);
    second.load(8, {4, 5});
    const std::vector<int64_t> samples = {7, 2, 40, 11};
    expect_same(first.load(6, samples), second.load(6, samples));
    expect_same(first.load(6, samples), first.load(6, samples));
    const Batch other = task(sampling, 4).load(6, samples);
    EXPECT_FALSE(torch::equal(other[kNoise], first.load(6, samples)[kNoise]));
    EXPECT_FALSE(torch::equal(other[kTarget], first.load(6, samples)[kTarget]));
    const Batch fine = task(sampling, 3, "finetune").load(6, samples);
    EXPECT_FALSE(torch::equal(fine[kNoise], first.load(6, samples)[kNoise]));
  }
  // Without pushforward the step does not matter.
  const DenoiserTask plain = task({.context_noise = 0.5});
  expect_same(plain.load(0, {3, 9}), plain.load(77, {3, 9}));
}

TEST_F(DenoiserTaskTest, ASampleIsTheSameInEveryBatch) {
  const DenoiserTask made = task({.context_noise = 0.5, .pushforward = 2});
  const Batch together = made.load(5, {3, 8, 1});
  for (int64_t b = 0; b < 3; ++b) {
    const Batch alone = made.load(5, {std::vector<int64_t>{3, 8, 1}[static_cast<size_t>(b)]});
    ASSERT_EQ(alone.size(), together.size());
    for (size_t i = 0; i < alone.size(); ++i) {
      EXPECT_TRUE(torch::equal(alone[i][0], together[i][b])) << b << " " << i;
    }
  }
}

TEST_F(DenoiserTaskTest, NoiseLevelsAreSpreadOverTheSchedule) {
  const torch::Tensor k = task({}).load(0, first_samples(1000))[kLevel];
  EXPECT_EQ(k.min().item<int64_t>(), 0);
  EXPECT_EQ(k.max().item<int64_t>(), kLevels - 1);
  // 1000 draws of a uniform number: mean 24.5, its standard deviation 14.4 / sqrt(1000) = 0.46.
  EXPECT_NEAR(in_double(k).mean().item<double>(), (kLevels - 1) / 2.0, 4 * 0.46);
}

TEST_F(DenoiserTaskTest, TheShareOfBackwardSamplesIsAsAsked) {
  const auto directions = [&](double p_bwd) {
    return task({.p_bwd = p_bwd}).load(0, first_samples(4 * kEpoch))[kDirection];
  };
  EXPECT_TRUE((directions(0) == 1).all().item<bool>());
  EXPECT_TRUE((directions(1) == -1).all().item<bool>());
  const int64_t backward = (directions(0.5) == -1).sum().item<int64_t>();
  EXPECT_GT(backward, kEpoch);
  EXPECT_LT(backward, 3 * kEpoch);
}

TEST_F(DenoiserTaskTest, ContextNoiseIsDrawnPerSampleUpToItsLargest) {
  constexpr double kMax = 0.5;
  const std::vector<int64_t> samples = first_samples(200);
  const Batch plain = task({}).load(0, samples);
  Batch noisy = task({.context_noise = kMax}).load(0, samples);
  ASSERT_EQ(plain.size(), kExtra);
  ASSERT_EQ(noisy.size(), kExtra + 1);
  const torch::Tensor noise = in_double(noisy[kExtra]);
  ASSERT_EQ(noise.sizes(), (std::vector<int64_t>{200, 3, 3, 4, 4}));  // 2 contexts and the anchor
  noisy.pop_back();
  expect_same(noisy, plain);

  // 144 numbers give a standard deviation to 6 percent. Uniform in [0, max], 200 samples hold some
  // in the lowest and some in the highest tenth, and their mean is max / 2 +- 0.02 max.
  const torch::Tensor std = noise.flatten(1).square().mean(1).sqrt() / kMax;
  EXPECT_LT(std.max().item<double>(), 1 + 5 * 0.06);
  EXPECT_LT(std.min().item<double>(), 0.1);
  EXPECT_GT(std.max().item<double>(), 0.9);
  EXPECT_NEAR(std.mean().item<double>(), 0.5, 4 * 0.0204);
  const torch::Tensor twice = task({.context_noise = 2 * kMax}).load(0, samples)[kExtra];
  EXPECT_TRUE(torch::equal(in_double(twice), 2 * noise));  // a factor of two is exact
}

TEST_F(DenoiserTaskTest, ContextNoiseTouchesContextsAndAnchorOnly) {
  DenoiserTask made = task({.context_noise = 0.5});
  const Batch batch = made.load(0, {0, 1, 2});
  const torch::Tensor noise = in_double(batch[kExtra]);
  const torch::Tensor expected = predictor_->loss(
      {in_double(batch[kContext]) + noise.narrow(1, 0, 2),
       in_double(batch[kAnchor]) + noise.select(1, 2), batch[kTargetIndex], batch[kDirection]},
      in_double(batch[kTarget]), batch[kLevel], in_double(batch[kNoise]));
  EXPECT_EQ(made.loss(0, batch).item<double>(), expected.item<double>());
  EXPECT_NE(made.loss(0, Batch(batch.begin(), batch.end() - 1)).item<double>(),
            expected.item<double>());
}

// Without disturbances the loss is the predictor's on true windows.
TEST_F(DenoiserTaskTest, SamplesAreTrueWindows) {
  DenoiserTask made = task({.anchor_augmentation = 0.5});
  const Batch batch = made.load(0, first_samples(kEpoch));
  std::set<std::pair<int64_t, int64_t>> steps;  // trajectory and place
  for (int64_t b = 0; b < kEpoch; ++b) {
    const auto target = batch[kTargetIndex][b].item<int64_t>();
    const auto direction = batch[kDirection][b].item<int64_t>();
    const int64_t n = trajectory_of(batch[kTarget][b], target);
    ASSERT_GE(n, 0);
    const int64_t anchor = index_of(batch[kAnchor][b], n);
    const Window window = window_at(target, static_cast<int>(direction), 2, anchor);
    for (int64_t j = 0; j < 2; ++j) {
      EXPECT_EQ(index_of(batch[kContext][b][j], n), window.context[static_cast<size_t>(j)]);
    }
    steps.emplace(n, direction > 0 ? target - 1 : target);
  }
  EXPECT_EQ(steps.size(), kEpoch);  // an epoch shows every step once
}

TEST_F(DenoiserTaskTest, UnrolledWindowsLeaveRoomForTheirSteps) {
  std::set<int64_t> seen;
  for (int64_t step = 0; step < 12; ++step) {
    const Batch batch = task({.pushforward = 3}).load(step, first_samples(kEpoch));
    const int64_t u = batch[kContext].size(1) - 2;
    seen.insert(u);
    for (int64_t b = 0; b < kEpoch; ++b) {
      const auto target = batch[kTargetIndex][b].item<int64_t>();
      const auto direction = batch[kDirection][b].item<int64_t>();
      const int64_t n = trajectory_of(batch[kTarget][b], target);
      ASSERT_GE(n, 0) << "target " << target << " is not a frame of its trajectory";
      const int64_t anchor = index_of(batch[kAnchor][b], n);
      ASSERT_GE(anchor, 0);
      EXPECT_GE((target - anchor) * direction, u + 1);
      // The first 2 frames are the context of the first unrolled step.
      const Window window =
          window_at(target - u * direction, static_cast<int>(direction), 2, anchor);
      for (int64_t j = 0; j < 2; ++j) {
        EXPECT_EQ(index_of(batch[kContext][b][j], n), window.context[static_cast<size_t>(j)]);
      }
    }
  }
  EXPECT_EQ(seen, (std::set<int64_t>{1, 2, 3}));
}

// The context the loss sees is what repeated prediction gives, and carries no gradient.
TEST_F(DenoiserTaskTest, PushedContextsAreThePredictionsMadeByHand) {
  DenoiserTask made = task({.pushforward = 3});
  const torch::Tensor weight = predictor_->denoiser().parameters().front();
  for (int64_t step = 0; step < 6; ++step) {
    const Batch batch = made.load(step, {2, 5, 9, 14});
    const int64_t u = batch[kContext].size(1) - 2;
    const torch::Tensor direction = batch[kDirection], index = batch[kTargetIndex];
    const torch::Tensor anchor = in_double(batch[kAnchor]), noise = in_double(batch[kNoise]);
    std::vector<torch::Tensor> frames = {in_double(batch[kContext].select(1, 0)),
                                         in_double(batch[kContext].select(1, 1))};
    for (int64_t i = u; i >= 1; --i) {
      const torch::Tensor context = torch::stack({frames.end()[-2], frames.end()[-1]}, 1);
      // Fixed noise: the same for every target and direction.
      const torch::Tensor start = in_double(noise_.initial({0, 0, 0, 0}, {1, 1, 1, 1}));
      frames.push_back(predictor_->predict({context, anchor, index - i * direction, direction},
                                           *sampler_, start));
    }
    const torch::Tensor expected = predictor_->loss(
        {torch::stack({frames.end()[-2], frames.end()[-1]}, 1), anchor, index, direction},
        in_double(batch[kTarget]), batch[kLevel], noise);
    const torch::Tensor loss = made.loss(step, batch);
    EXPECT_EQ(loss.item<double>(), expected.item<double>()) << step;
    const auto gradient = [&](const torch::Tensor& of) {
      predictor_->denoiser().zero_grad();
      of.backward();
      return weight.grad().clone();
    };
    EXPECT_TRUE(torch::equal(gradient(loss), gradient(expected)));
  }
}

// Gradients go through every sampled frame: the loss and its gradient are those of the loop written
// out, and steps before `unroll_after` have the denoising loss.
TEST_F(DenoiserTaskTest, UnrolledLossesAreTheLoopWrittenOut) {
  DenoiserTask made = task({.unroll = 3, .unroll_after = 2});
  std::set<int64_t> seen;
  for (int64_t step = 0; step < 10; ++step) {
    const Batch batch = made.load(step, {2, 5, 9, 14});
    const int64_t steps = batch[kContext].size(1) - 1;
    seen.insert(steps);
    if (step < 2) EXPECT_EQ(steps, 1);
    if (steps == 1) continue;
    const torch::Tensor direction = batch[kDirection], index = batch[kTargetIndex];
    std::vector<torch::Tensor> frames = {in_double(batch[kContext].select(1, 0)),
                                         in_double(batch[kContext].select(1, 1))};
    torch::Tensor expected = torch::zeros({}, torch::kFloat64);
    for (int64_t i = 0; i < steps; ++i) {
      const FrameWindows inputs = {torch::stack({frames.end()[-2], frames.end()[-1]}, 1),
                                   in_double(batch[kAnchor]), index - (steps - 1 - i) * direction,
                                   direction};
      frames.push_back(predictor_->sample_with_gradients(inputs, *sampler_, noise_).frame);
      const torch::Tensor truth =
          in_double(i + 1 == steps ? batch[kTarget] : batch[kContext].select(1, 2 + i));
      const torch::Tensor scale =
          torch::tensor(std::vector<double>{0.5, 2, 1.25}).view({1, 3, 1, 1});
      expected = expected + ((frames.back() - truth) / scale).square().mean() / double(steps);
    }
    const torch::Tensor loss = made.loss(step, batch);
    EXPECT_NEAR(loss.item<double>(), expected.item<double>(), 1e-9 * expected.item<double>());
    const auto gradient = [&](const torch::Tensor& of) {
      predictor_->denoiser().zero_grad();
      of.backward();
      return predictor_->denoiser().parameters().front().grad().clone();
    };
    const torch::Tensor found = gradient(loss), wanted = gradient(expected);
    // Rounding of two orders of the same sums, through up to fifteen calls.
    EXPECT_LT((found - wanted).abs().max().item<double>(),
              1e-8 * wanted.abs().max().item<double>());
  }
  EXPECT_EQ(seen, (std::set<int64_t>{1, 2, 3}));
}

TEST_F(DenoiserTaskTest, AShareOfStepsMakesItsContexts) {
  const DenoiserTask made = task({.pushforward = 2, .pushforward_share = 0.25});
  int64_t pushed = 0;
  for (int64_t step = 0; step < 400; ++step) {
    pushed += made.load(step, {1})[kContext].size(1) > 2 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(pushed), 100, 4 * std::sqrt(400 * 0.25 * 0.75));  // 4 sigma
}

TEST_F(DenoiserTaskTest, LevelsAreThoseAskedFor) {
  const DenoiserTask made({.predictor = predictor_,
                           .latents = latents_,
                           .sampler = *sampler_,
                           .noise = noise_,
                           .validation = validation_,
                           .levels = {3, 11}},
                          {}, 3, "denoiser");
  std::set<int64_t> seen;
  const torch::Tensor levels = made.load(0, first_samples(64))[kLevel];
  for (int64_t i = 0; i < 64; ++i) seen.insert(levels[i].item<int64_t>());
  EXPECT_EQ(seen, (std::set<int64_t>{3, 11}));
}

TEST_F(DenoiserTaskTest, TrajectoriesTooShortToUnrollAreAnError) {
  const LatentCache latents = small_latents(path("short"), {7, 4});
  const auto error = [&](int64_t pushforward) {
    return error_of([&] {
      DenoiserTask({predictor_, latents, *sampler_, noise_, validation_},
                   {.pushforward = pushforward}, 0, "denoiser");
    });
  };
  EXPECT_THAT(error(3), HasSubstr("3 model steps need trajectories of 5 frames, found one of 4"));
  EXPECT_EQ(error(2), "no error");
}

TEST_F(DenoiserTaskTest, IsValidatedByRollouts) {
  DenoiserTask made = task({});
  const Validation found = made.validate(), expected = validation_.run(*predictor_);
  EXPECT_EQ(found.score, expected.score);
  EXPECT_EQ(found.values, expected.values);
  EXPECT_EQ(&made.module(), &predictor_->denoiser());
}

}  // namespace
}  // namespace roundtrip
