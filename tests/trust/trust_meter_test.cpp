#include "roundtrip/trust/trust_meter.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/calibration/calibrate.h"
#include "roundtrip/nn/init.h"
#include "tests/support/error_of.h"
#include "tests/support/linear_surrogate.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

// A model whose every step, forward and backward, is wrong by a factor that the frames' size sets:
// large frames are predicted worse, and C tells.
class Uneven final : public Stepper {
 public:
  torch::Tensor step(const FrameWindows& inputs) override {
    const torch::Tensor near = inputs.context.select(1, -1);
    return near + 0.02 * near.square().mean({1, 2, 3}, /*keepdim=*/true).sqrt() * near.sign();
  }
  int64_t contexts() const override { return 1; }
  FrameShape frame() const override { return {4, 1, 1}; }
  torch::ScalarType type() const override { return torch::kFloat64; }
};

constexpr int64_t kTrajectoryFrames = 10;

// The truth stands still, give or take a little; trajectories differ in size.
MeasuredTrajectory trajectory(uint64_t index, double size_factor = 1) {
  const torch::Tensor start = keyed_normal({1, 4, 1, 1}, 1, "start", index).to(torch::kFloat64);
  const double size =
      size_factor * std::exp(keyed_normal({1}, 1, "size", index).item<double>() * 0.5);
  const torch::Tensor drift =
      keyed_normal({kTrajectoryFrames, 4, 1, 1}, 1, "drift", index).to(torch::kFloat64) * 0.003;
  return {.latents = (start + drift.cumsum(0)) * size,
          .fields = {},
          .initial_frames = 1,
          .first_index = 0};
}

struct Trusted {
  Surrogate surrogate = surrogate_of(std::make_shared<Uneven>());
  CalibratorSet calibrators;

  Trusted() {
    surrogate.fingerprint = "this model";
    const Meter meter(surrogate, {.depths = {1, 2, 4, 8, 9}, .signals = {"round_trip", "error"}});
    std::vector<MeasuredTrajectory> all;
    for (uint64_t i = 0; i < 120; ++i) all.push_back(trajectory(i));
    const auto tables = meter.measure(all);
    CurveTable table;
    table.where = "test";
    table.columns = meter.columns();
    for (size_t i = 0; i < tables.size(); ++i) {
      Curve curve;
      curve.split = "calibration";
      curve.trajectory = static_cast<int64_t>(i);
      for (size_t d = 0; d < tables[i].size(); ++d) {
        std::map<std::string, double> values;
        for (size_t c = 0; c < table.columns.size(); ++c)
          values[table.columns[c]] = tables[i][d][c];
        curve.add(meter.request().depths[d], values);
      }
      table.curves.push_back(std::move(curve));
    }
    calibrators = calibrate(table, {}).set("this model");
  }
};

const Trusted& trusted() {
  static const Trusted made;
  return made;
}

TEST(TrustMeter, PredictsTheErrorItCannotSee) {
  const LatentError error({0, 1, 2, 3});
  int64_t inside = 0, total = 0;
  double squares = 0;
  for (uint64_t index = 1000; index < 1060; ++index) {
    const MeasuredTrajectory truth = trajectory(index);
    MeasuredTrajectory seeds = truth;
    seeds.latents = truth.latents.narrow(0, 0, 1);  // nothing else goes in
    TrustMeter meter(trusted().surrogate, trusted().calibrators, {.depth = 9}, {seeds});
    while (!meter.done()) {
      const TrustStep& step = meter.next().front();
      if (!step.checked) continue;
      const double found = error.mse(step.frame, truth.latents[step.depth]);
      const PredictedError& predicted = step.errors.front();
      inside += predicted.bounds().low <= found && found <= predicted.bounds().high;
      squares += std::pow(std::log(found / predicted.median), 2);
      ++total;
    }
  }
  // 300 rows of 60 trajectories: between 85 and 100 percent of a 95 percent band is within four
  // standard errors even if rows of one trajectory were all alike.
  EXPECT_GT(static_cast<double>(inside) / static_cast<double>(total), 0.84);
  EXPECT_LT(std::sqrt(squares / static_cast<double>(total)), 0.5);
}

TEST(TrustMeter, ChecksDepthsInAGeometricSeriesAndPaysForThose) {
  EXPECT_THAT(geometric_depths(9), testing::ElementsAre(1, 2, 4, 8, 9));
  EXPECT_THAT(geometric_depths(8), testing::ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(geometric_depths(1), testing::ElementsAre(1));
  TrustMeter meter(trusted().surrogate, trusted().calibrators, {.depth = 9}, {trajectory(7)});
  while (!meter.done()) meter.next();
  EXPECT_DOUBLE_EQ(meter.cost(), (9 + 1 + 2 + 4 + 8 + 9) / 9.0);
}

TEST(TrustMeter, TrustEndsWhereTheToleranceDoes) {
  TrustRequest request{.depth = 9};
  TrustMeter free(trusted().surrogate, trusted().calibrators, request, {trajectory(3)});
  std::vector<double> upper;
  while (!free.done()) {
    const TrustStep& step = free.next().front();
    if (step.checked) upper.push_back(step.errors.front().bounds().upper);
  }
  EXPECT_EQ(free.summary(0).trusted.first_crossing, 9);
  request.tolerance = (upper[2] + upper[3]) / 2;  // between depths 4 and 8
  request.stop = true;
  TrustMeter bound(trusted().surrogate, trusted().calibrators, request, {trajectory(3)});
  int64_t last = 0;
  while (!bound.done()) last = bound.next().front().depth;
  EXPECT_EQ(bound.summary(0).trusted.first_crossing, 4);
  EXPECT_EQ(last, 8);  // where it was noticed
}

// From frames of size 100 on, no numbers: as a rollout that blew up.
class Exploding final : public Stepper {
 public:
  torch::Tensor step(const FrameWindows& inputs) override {
    const torch::Tensor factor = torch::where(inputs.direction > 0, 3.0, 0.3).view({-1, 1, 1, 1});
    const torch::Tensor next = factor * inputs.context.select(1, -1);
    return torch::where(next.abs() > 100, std::nan(""), next);
  }
  int64_t contexts() const override { return 1; }
  FrameShape frame() const override { return {4, 1, 1}; }
  torch::ScalarType type() const override { return torch::kFloat64; }
};

TEST(TrustMeter, WhatIsNoNumberIsTrustedByNoRule) {
  Surrogate surrogate = surrogate_of(std::make_shared<Exploding>());
  surrogate.fingerprint = "this model";
  // 1, 3, 9, 27, 81, none: the rollout is lost between the checked depths 4 and 8.
  const MeasuredTrajectory seeds{.latents = torch::ones({1, 4, 1, 1}, torch::kFloat64),
                                 .fields = {},
                                 .initial_frames = 1,
                                 .first_index = 0};
  for (TrustRequest request :
       {TrustRequest{.depth = 9}, TrustRequest{.depth = 9, .tolerance_c = 1e9},
        TrustRequest{.depth = 9, .tolerance = 1e9}}) {
    TrustMeter meter(surrogate, trusted().calibrators, request, {seeds});
    while (!meter.done()) meter.next();
    EXPECT_EQ(meter.summary(0).trusted.first_crossing, 4);
    EXPECT_EQ(meter.summary(0).trusted.literal, 4);
  }
}

TEST(TrustMeter, SoundsTheAlarmForWhatItHasNotSeen) {
  int64_t usual = 0, strange = 0;
  for (uint64_t index = 2000; index < 2040; ++index) {
    for (const double factor : {1.0, 30.0}) {
      TrustMeter meter(trusted().surrogate, trusted().calibrators, {.depth = 9},
                       {trajectory(index, factor)});
      while (!meter.done()) meter.next();
      (factor > 1 ? strange : usual) += meter.summary(0).alarm.value().raised;
    }
  }
  EXPECT_LE(usual, 8);  // 5 percent of 40 is 2; beyond 8 is below one in a thousand
  EXPECT_EQ(strange, 40);
}

TEST(TrustMeter, SeveralRolloutsAreWatchedAsEachAlone) {
  TrustMeter both(trusted().surrogate, trusted().calibrators, {.depth = 4},
                  {trajectory(1), trajectory(2)});
  TrustMeter alone(trusted().surrogate, trusted().calibrators, {.depth = 4}, {trajectory(2)});
  while (!both.done()) {
    const TrustStep together = both.next()[1];
    const TrustStep& apart = alone.next()[0];
    EXPECT_TRUE(torch::equal(together.frame, apart.frame));
    EXPECT_EQ(together.signal, apart.signal);
  }
}

TEST(TrustMeter, RefusesCalibratorsOfAnotherModel) {
  Surrogate other = trusted().surrogate;
  other.fingerprint = "another";
  const auto make = [&](bool force) {
    return error_of([&] {
      const TrustMeter meter(other, trusted().calibrators, {.depth = 2}, {trajectory(1)}, force);
    });
  };
  EXPECT_THAT(make(false), HasSubstr("expected those of this model and sampling"));
  EXPECT_EQ(make(true), "no error");
}

TEST(TrustMeter, MistakesAreToldInOneLine) {
  const auto message = [&](const TrustRequest& request) {
    return error_of([&] {
      const TrustMeter meter(trusted().surrogate, trusted().calibrators, request, {trajectory(1)});
    });
  };
  EXPECT_THAT(message({.depth = 4, .check_depths = {1, 8}}), HasSubstr("beyond the depth 4"));
  EXPECT_THAT(message({.depth = 4, .signal = "local_4"}), HasSubstr("local_4"));
  EXPECT_THAT(message({.depth = 4, .features = "trajectory_mean"}),
              HasSubstr("expected features that need nothing deeper"));
}

}  // namespace
}  // namespace roundtrip
