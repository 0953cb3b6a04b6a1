#include "roundtrip/trust/measure.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/nn/init.h"
#include "roundtrip/trust/live_meter.h"
#include "tests/support/error_of.h"
#include "tests/support/linear_surrogate.h"

namespace roundtrip {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Nonlinear, sees everything a stepper is given, and differs by sample.
class Swirl final : public Stepper {
 public:
  explicit Swirl(double sample = 0) : sample_(sample) {}
  torch::Tensor step(const FrameWindows& inputs) override {
    const torch::Tensor sign = inputs.direction.to(torch::kFloat64).view({-1, 1, 1, 1});
    const torch::Tensor time = inputs.target_index.to(torch::kFloat64).view({-1, 1, 1, 1});
    const torch::Tensor near = inputs.context.select(1, 1), far = inputs.context.select(1, 0);
    return near + 0.1 * sign * torch::sin(near + 0.5 * far.flip(1) + 0.01 * time) +
           0.05 * inputs.anchor + 0.02 * sample_;
  }
  int64_t contexts() const override { return 2; }
  FrameShape frame() const override { return {3, 1, 2}; }
  torch::ScalarType type() const override { return torch::kFloat64; }

 private:
  double sample_;
};

Surrogate swirl() {
  Surrogate surrogate = surrogate_of(std::make_shared<Swirl>());
  surrogate.sample = [](int64_t sample, bool ancestral) {
    return std::make_shared<Swirl>(static_cast<double>(sample) + (ancestral ? 10 : 0));
  };
  return surrogate;
}

const std::vector<std::string> kAll = {
    "round_trip", "error", "residual", "mirror",    "spread_seed", "spread_ancestral",
    "averaged",   "fbf",   "local",    "seed_step", "seed_knn"};
const std::vector<std::string> kSeedsOnly = {"round_trip", "spread_seed", "averaged",
                                             "fbf",        "local",       "seed_step"};

std::vector<MeasuredTrajectory> some(int64_t count, int64_t frames = 12) {
  std::vector<MeasuredTrajectory> trajectories;
  for (int64_t i = 0; i < count; ++i) {
    const auto key = static_cast<uint64_t>(i);
    trajectories.push_back(
        {.latents = keyed_normal({frames, 3, 1, 2}, 3, "swirl", key).to(torch::kFloat64),
         .fields = {},
         .initial_frames = 2,
         .first_index = 0});
  }
  return trajectories;
}

torch::Tensor known_seeds() {
  return keyed_normal({30, 2, 3, 1, 2}, 4, "known").to(torch::kFloat64);
}

// Rows of this stepper do not see each other, so no bit may depend on who else is in the batch.
TEST(Meter, TheBatchChangesNothing) {
  const auto table = [](int64_t batch, const std::vector<MeasuredTrajectory>& trajectories) {
    const Meter meter(swirl(), {.depths = {1, 2, 3, 7, 10}, .signals = kAll, .batch = batch},
                      known_seeds);
    return meter.measure(trajectories);
  };
  const auto all = some(5);
  const auto together = table(64, all);
  EXPECT_EQ(table(3, all), together);
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(table(1, {all[i]}).at(0), together[i]) << "trajectory " << i;
  }
}

TEST(Meter, FillsEveryCell) {
  const Meter meter(swirl(), {.depths = {1, 2, 9}, .signals = kAll}, known_seeds);
  const SignalTable table = meter.measure(some(1)).at(0);
  for (const auto& row : table) {
    for (size_t c = 0; c < row.size(); ++c) {
      EXPECT_TRUE(std::isfinite(row[c])) << meter.columns()[c];
    }
  }
}

TEST(Meter, ColumnsStandInTheListsOrder) {
  const Meter meter(swirl(), {.depths = {1}, .signals = {"seed_step", "error", "round_trip"}});
  EXPECT_THAT(meter.columns(),
              ElementsAre("C", "C_regenerated", "C_leakfree", "E", "E_pair", "seed_step"));
}

// What each signal costs beside the rollout of 10 steps, in steps: one leg of i steps per depth.
TEST(Meter, CountsItsStepsBeforeTakingThem) {
  const auto steps = [](std::vector<std::string> signals, std::vector<int64_t> depths) {
    const Meter meter(swirl(), {.depths = std::move(depths), .signals = std::move(signals)});
    const int64_t counted = meter.row_steps(/*seeds=*/2, /*frames=*/12);
    int64_t taken = 0;
    meter.measure(some(3), [&](int64_t rows) { taken += rows; });
    EXPECT_EQ(taken, 3 * counted);
    return counted - 10;
  };
  const std::vector<int64_t> full = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(steps({"error", "seed_step"}, full), 0);
  EXPECT_EQ(steps({"round_trip"}, {10}), 10);
  EXPECT_EQ(steps({"round_trip"}, full), 55 + 1);  // the leak-free leg of depth 1
  EXPECT_EQ(steps({"residual"}, full), 55);
  EXPECT_EQ(steps({"mirror"}, full), 10 + 55);
  EXPECT_EQ(steps({"fbf"}, full), 55 + 55);
  EXPECT_EQ(steps({"fbf", "round_trip"}, full), 55 + 55 + 1);  // the way back is shared
  EXPECT_EQ(steps({"local"}, {10}), 1 + 2 + 3 + 7 * 4);
  EXPECT_EQ(steps({"local", "round_trip"}, full), 55 + 1);  // and so is a local one
  EXPECT_EQ(steps({"spread_seed"}, {10}), 4 * 10);
  EXPECT_EQ(steps({"spread_ancestral"}, {10}), 5 * 10);
  EXPECT_EQ(steps({"averaged"}, {10}), 4 * 10 + 5 * 10);
}

TEST(Meter, SpreadIsTheVarianceAcrossSamples) {
  // Samples drift apart by 0.02 s a step where nothing else acts: frames of zeros, no swirl.
  class Drift final : public Stepper {
   public:
    explicit Drift(double sample) : sample_(sample) {}
    torch::Tensor step(const FrameWindows& inputs) override {
      return inputs.context.select(1, -1) + sample_;
    }
    int64_t contexts() const override { return 1; }
    FrameShape frame() const override { return {1, 1, 1}; }

   private:
    double sample_;
  };
  Surrogate surrogate = surrogate_of(std::make_shared<Drift>(0));
  surrogate.sample = [](int64_t sample, bool ancestral) {
    return std::make_shared<Drift>(static_cast<double>(sample) * (ancestral ? 2 : 1));
  };
  const Meter meter(
      surrogate,
      {.depths = {1, 3}, .signals = {"spread_seed", "spread_ancestral", "averaged"}, .samples = 3});
  const auto table = meter
                         .measure({{.latents = torch::zeros({1, 1, 1, 1}),
                                    .fields = {},
                                    .initial_frames = 1,
                                    .first_index = 0}})
                         .at(0);
  // Values 0, d, 2d have variance d^2; ancestral ones 0, 2d, 4d; cycles end 2d s away: mean of
  // (2 d s)^2 over s = 0, 1, 2 is 20 d^2 / 3.
  EXPECT_THAT(table[0], ElementsAre(1, 4, testing::DoubleEq(20.0 / 3)));
  EXPECT_THAT(table[1], ElementsAre(9, 36, testing::DoubleEq(60)));
}

TEST(Meter, SeedControlsKnowTheSeedsAlone) {
  const auto trajectory = some(1).at(0);
  const Meter meter(swirl(), {.depths = {1, 5}, .signals = {"seed_step", "seed_knn"}}, known_seeds);
  const auto table = meter.measure({trajectory}).at(0);
  EXPECT_EQ(table[0], table[1]);
  const torch::Tensor seeds = trajectory.latents.narrow(0, 0, 2);
  EXPECT_DOUBLE_EQ(table[0][0], (seeds[0] - seeds[1]).square().mean().item<double>());
  std::vector<double> distances;
  for (int64_t i = 0; i < 30; ++i) {
    distances.push_back((known_seeds()[i] - seeds).square().mean().item<double>());
  }
  std::sort(distances.begin(), distances.end());
  double nearest = 0;
  for (size_t i = 0; i < 10; ++i) nearest += distances[i] / 10;
  EXPECT_NEAR(table[0][1], nearest, 1e-12);
}

TEST(Meter, DecodedErrorsAreThoseOfTheCodec) {
  Surrogate surrogate = surrogate_of(std::make_shared<Swirl>());
  surrogate.codec =
      std::make_shared<Codec>(make_identity_codec({3, 1, 2}),
                              CodecScales{{1, 2, 3}, {10, 1, 0.1}, identity_standardiser(3)});
  const Meter meter(surrogate, {.depths = {1}, .signals = {"error", "fields", "seed_codec"}});
  torch::Tensor fields = keyed_normal({3, 3, 1, 2}, 5, "fields");
  const auto table = meter
                         .measure({{.latents = surrogate.codec->encode(fields),
                                    .fields = fields,
                                    .initial_frames = 2,
                                    .first_index = 0}})
                         .at(0);
  // E is the mean over channels of the field's error over its variance. Rounding: float32 fields.
  EXPECT_NEAR(table[0][0], (table[0][3] / 100 + table[0][4] + table[0][5] / 0.01) / 3,
              1e-4 * table[0][0]);
  EXPECT_NEAR(table[0][2], 0, 1e-10);  // the identity loses nothing
}

TEST(Meter, MistakesAreToldInOneLine) {
  const auto message = [](MeasureRequest request, const Surrogate& surrogate) {
    return error_of([&] { const Meter meter(surrogate, request); });
  };
  EXPECT_THAT(message({.depths = {0, 1}, .signals = {"error"}}, swirl()),
              HasSubstr("expected depths of at least 1, found 0"));
  EXPECT_THAT(message({.depths = {}, .signals = {"error"}}, swirl()), HasSubstr("found none"));
  EXPECT_THAT(message({.depths = {1}, .signals = {"eror"}}, swirl()), HasSubstr("error"));
  const Meter meter(swirl(), {.depths = {1}, .signals = {"round_trip"}});
  auto bad = some(1);
  bad[0].latents[0][0] = NAN;
  EXPECT_THAT(error_of([&] { meter.measure(bad); }), HasSubstr("expected finite frames"));
  Surrogate silent = surrogate_of(std::make_shared<Swirl>());
  EXPECT_THAT(message({.depths = {1}, .signals = {"spread_seed"}}, silent),
              HasSubstr("expected a model that draws noise"));
}

TEST(LiveMeter, TellsWhatTheTableTells) {
  const Meter meter(swirl(), {.depths = {1, 2, 5, 8}, .signals = kSeedsOnly});
  const auto trajectory = some(1).at(0);
  const auto table = meter.measure({trajectory}).at(0);
  LiveMeter live(meter, trajectory.latents.narrow(0, 0, 2));
  size_t row = 0;
  while (!live.done()) {
    const LiveStep& step = live.next().front();
    EXPECT_EQ(step.frame.sizes(), trajectory.latents[0].sizes());
    EXPECT_EQ(step.checked,
              step.depth == 1 || step.depth == 2 || step.depth == 5 || step.depth == 8);
    if (!step.checked) continue;
    EXPECT_EQ(step.signals, table[row++]) << "depth " << step.depth;
  }
  EXPECT_EQ(row, 4U);
  EXPECT_EQ(live.row_steps(), meter.row_steps(2, 2));
}

TEST(LiveMeter, StoppingEarlyCostsNoMoreThanWhatWasSeen) {
  const Meter meter(swirl(), {.depths = {2, 10}, .signals = {"round_trip", "spread_seed"}});
  LiveMeter live(meter, some(1).at(0).latents.narrow(0, 0, 2));
  for (int64_t i = 0; i < 3; ++i) live.next();
  EXPECT_EQ(live.row_steps(), 3 + 2 + 4 * 3);
}

TEST(LiveMeter, HasNoTruth) {
  const Meter meter(swirl(), {.depths = {2}, .signals = {"error"}});
  EXPECT_THAT(error_of([&] { LiveMeter live(meter, some(1).at(0).latents.narrow(0, 0, 2)); }),
              HasSubstr("needs later"));
}

}  // namespace
}  // namespace roundtrip
