#include "roundtrip/train/rollout_validation.h"

#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/diffusion/samplers.h"
#include "tests/data/data_folder.h"
#include "tests/support/error_of.h"
#include "tests/train/small_model.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const DiffusionConfig kRepeats{.steps = 50, .prediction = "x0", .target = "delta"};

class RolloutValidationTest : public DataTest {
 protected:
  RolloutValidationTest() : latents_(small_latents(path("latents"), {7, 9})) {}

  Validation run(FramePredictor& predictor, RolloutValidation::Setup setup = {.live = {0, 1, 2}},
                 const ValidationOptions& options = {}) const {
    const auto sampler = make_sampler({"ddim", 5, "leading"}, predictor.schedule());
    return RolloutValidation(latents_, *sampler, noise_, std::move(setup), options).run(predictor);
  }
  // What `sampler` and `noise_` make of one step; context (2, F, h, w).
  torch::Tensor step(FramePredictor& predictor, const torch::Tensor& context,
                     const torch::Tensor& anchor, int64_t target, int64_t direction) const {
    const auto sampler = make_sampler({"ddim", 5, "leading"}, predictor.schedule());
    const auto number = [](int64_t x) { return torch::tensor(std::vector<int64_t>{x}); };
    return predictor.predict(
        {context.unsqueeze(0), anchor.unsqueeze(0), number(target), number(direction)}, *sampler,
        noise_.initial({target}, {direction}).to(torch::kFloat64))[0];
  }
  torch::Tensor frame(int64_t trajectory, int64_t index) const {
    return latents_.frame(trajectory, index).to(torch::kFloat64);
  }

  LatentCache latents_;
  InitialNoise noise_{NoiseKey::direction, 4, {3, 4, 4}};  // every target its own
};

std::vector<std::string> names(const Validation& found) {
  std::vector<std::string> list;
  for (const auto& [name, value] : found.values) list.push_back(name);
  return list;
}

std::map<std::string, double> by_name(const Validation& found) {
  return {found.values.begin(), found.values.end()};
}

TEST_F(RolloutValidationTest, ThePersistenceBaselineScoresExactlyZero) {
  const auto predictor = small_predictor(kRepeats, /*random_weights=*/false);
  const Validation found = run(*predictor);
  // The shorter trajectory leaves room for 5 steps.
  EXPECT_THAT(names(found),
              ElementsAre("denoising_loss", "step_forward", "step_backward", "forward_1",
                          "forward_2", "forward_4", "backward_1", "backward_2", "backward_4"));
  for (const auto& [name, value] : found.values) {
    if (name != "denoising_loss") {
      EXPECT_EQ(value, 1) << name;
    }
  }
  EXPECT_EQ(found.score, 0);
}

TEST_F(RolloutValidationTest, OnlyTheDirectionsAskedForAreRolledOut) {
  const auto predictor = small_predictor(kRepeats, false);
  EXPECT_THAT(names(run(*predictor, {.directions = {-1}, .live = {0}}, {.depth = 3})),
              ElementsAre("denoising_loss", "step_backward", "backward_1", "backward_2"));
  EXPECT_THAT(names(run(*predictor, {.directions = {+1}, .live = {0}}, {.depth = 1})),
              ElementsAre("denoising_loss", "step_forward", "forward_1"));
}

// A network that says "zero" at every depth: the MSE is the mean square of the truth.
TEST_F(RolloutValidationTest, DeadChannelsDoNotCount) {
  const auto predictor =
      small_predictor({.steps = 50, .prediction = "x0", .target = "frame"}, false);
  for (const std::vector<int64_t>& live : {std::vector<int64_t>{0, 2}, std::vector<int64_t>{1}}) {
    const auto found = by_name(run(*predictor, {.live = live}));
    double sum = 0;
    for (const int64_t direction : {+1, -1}) {
      for (const int64_t depth : {1, 2, 4}) {
        double error = 0, repeated = 0;
        for (const int64_t trajectory : {0, 1}) {
          const int64_t last = trajectory == 0 ? 6 : 8;
          const auto at = [&](int64_t i) {
            return frame(trajectory, direction > 0 ? i : last - i);
          };
          for (const int64_t channel : live) {
            error += at(1 + depth)[channel].square().sum().item<double>();
            repeated += (at(1 + depth) - at(1))[channel].square().sum().item<double>();
          }
        }
        const std::string name =
            fmt::format("{}_{}", direction > 0 ? "forward" : "backward", depth);
        EXPECT_NEAR(found.at(name), error / repeated, 1e-12 * error / repeated) << name;
        sum += std::log(error / repeated);
      }
    }
    EXPECT_NEAR(run(*predictor, {.live = live}).score, sum / 6, 1e-12);
  }
}

// With random weights: each trajectory by itself, step by step, from frames of the cache.
TEST_F(RolloutValidationTest, RolloutsAreThoseMadeByHand) {
  const auto predictor = small_predictor({.steps = 50, .prediction = "v", .target = "delta"}, true);
  const auto found = by_name(run(*predictor));
  for (const int64_t direction : {+1, -1}) {
    double error = 0, repeated = 0;
    for (const int64_t trajectory : {0, 1}) {
      const int64_t last = trajectory == 0 ? 6 : 8;
      const int64_t first = direction > 0 ? 0 : last;  // anchor
      const auto at = [&](int64_t i) { return frame(trajectory, first + direction * i); };
      const torch::Tensor one =
          step(*predictor, torch::stack({at(0), at(1)}), at(0), first + 2 * direction, direction);
      const torch::Tensor two =
          step(*predictor, torch::stack({at(1), one}), at(0), first + 3 * direction, direction);
      error += (two - at(3)).square().mean().item<double>() / 2;
      repeated += (at(1) - at(3)).square().mean().item<double>() / 2;
    }
    const double ratio = error / repeated;
    // One batch of two instead of two of one: sums in another order, in double.
    EXPECT_NEAR(found.at(direction > 0 ? "forward_2" : "backward_2"), ratio, 1e-9 * ratio);
  }
}

// A network of zeros that says the frame: its loss is the mean square of the targets. An epoch of
// forward windows has every frame but a trajectory's first as a target, once.
TEST_F(RolloutValidationTest, TheDenoisingLossIsThatOfItsWindows) {
  const auto predictor = small_predictor(
      {.steps = 50, .prediction = "x0", .target = "frame", .weight = "flat"}, false);
  for (const int64_t direction : {+1, -1}) {
    double squares = 0;
    for (const int64_t trajectory : {0, 1}) {
      const torch::Tensor frames = latents_.trajectory(trajectory).to(torch::kFloat64);
      const int64_t steps = frames.size(0) - 1;
      squares += frames.narrow(0, direction > 0 ? 1 : 0, steps).square().sum().item<double>();
    }
    const double expected = squares / (14 * 48);
    const auto loss = [&](int64_t samples) {
      return by_name(
                 run(*predictor, {.directions = {direction}, .live = {0}}, {.samples = samples}))
          .at("denoising_loss");
    };
    EXPECT_NEAR(loss(14), expected, 1e-12 * expected);
    EXPECT_NEAR(loss(7 * 14), expected, 1e-12 * expected);  // more than are held at once
  }
}

TEST_F(RolloutValidationTest, IsAFunctionOfThePredictor) {
  const auto predictor =
      small_predictor({.steps = 50, .prediction = "eps", .target = "frame"}, true);
  EXPECT_EQ(run(*predictor).values, run(*predictor).values);
  EXPECT_EQ(run(*predictor).score, run(*predictor).score);
  const double other = by_name(run(*predictor, {.live = {0, 1, 2}, .seed = 9}))["denoising_loss"];
  EXPECT_NE(by_name(run(*predictor))["denoising_loss"], other);
}

TEST_F(RolloutValidationTest, ABrokenPredictorIsTheWorst) {
  const auto predictor = small_predictor(kRepeats, true);
  {
    const torch::NoGradGuard no_grad;
    predictor->denoiser().parameters().back().fill_(NAN);
  }
  EXPECT_EQ(run(*predictor).score, std::numeric_limits<double>::infinity());
}

TEST_F(RolloutValidationTest, TrajectoriesWithoutRoomAreAnError) {
  const LatentCache latents = small_latents(path("short"), {6, 2});
  const auto predictor = small_predictor(kRepeats, false);
  const auto sampler = make_sampler({"ddim", 5, "leading"}, predictor->schedule());
  const auto error = [&](int64_t trajectories) {
    return error_of([&] {
      RolloutValidation(latents, *sampler, noise_, {.live = {0}}, {.trajectories = trajectories});
    });
  };
  EXPECT_THAT(error(16), AllOf(HasSubstr("selection trajectory 1"),
                               HasSubstr("more frames than the 2 of a context, found 2")));
  EXPECT_EQ(error(1), "no error");  // the short one is not rolled out
}

}  // namespace
}  // namespace roundtrip
