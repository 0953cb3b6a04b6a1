#include "roundtrip/rollout/rollout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roundtrip {
namespace {

using ::testing::ElementsAre;

// A rollout whose frames hold their position.
Rollout numbered(int64_t seeds, int64_t depth, int64_t direction = 1, int64_t first_index = 0) {
  const torch::Tensor frames = torch::arange(seeds + depth, torch::kFloat64).view({-1, 1, 1, 1});
  return {frames, seeds, first_index, direction};
}

std::vector<double> values(const torch::Tensor& frames) {
  const torch::Tensor flat = frames.to(torch::kFloat64).flatten().contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

int64_t target_of(const Leg& leg) { return leg.window.target_index.item<int64_t>(); }
int64_t direction_of(const Leg& leg) { return leg.window.direction.item<int64_t>(); }

TEST(Rollout, GoesOnFromTheNewestFramesAnchoredAtTheFirst) {
  const Leg leg = forward_leg(numbered(2, 5), /*contexts=*/2, /*from=*/0, /*steps=*/5);
  EXPECT_THAT(values(leg.window.context), ElementsAre(0, 1));
  EXPECT_THAT(values(leg.window.anchor), ElementsAre(0));
  EXPECT_EQ(target_of(leg), 2);
  EXPECT_EQ(direction_of(leg), 1);
  const Leg later = forward_leg(numbered(2, 5), 2, /*from=*/3, 1);
  EXPECT_THAT(values(later.window.context), ElementsAre(3, 4));
  EXPECT_EQ(target_of(later), 5);
}

TEST(Rollout, TooFewSeedsArePaddedByTheAnchor) {
  const Leg leg = forward_leg(numbered(1, 5), /*contexts=*/3, 0, 5);
  EXPECT_THAT(values(leg.window.context), ElementsAre(0, 0, 0));
  const Leg later = forward_leg(numbered(1, 5), 3, /*from=*/1, 1);
  EXPECT_THAT(values(later.window.context), ElementsAre(0, 0, 1));
}

TEST(Rollout, TurnsAroundAtItsNewestFrame) {
  // Depth 3 of two seed frames is position 4; the window 3, 4 seen backward is 4, 3; next comes 2.
  const Leg leg = backward_leg(numbered(2, 5), 2, /*depth=*/3, /*steps=*/3);
  EXPECT_THAT(values(leg.window.context), ElementsAre(4, 3));
  EXPECT_THAT(values(leg.window.anchor), ElementsAre(4));
  EXPECT_EQ(target_of(leg), 2);
  EXPECT_EQ(direction_of(leg), -1);
}

TEST(Rollout, BackwardCoursesCountDown) {
  const Rollout rollout = numbered(2, 5, /*direction=*/-1, /*first_index=*/59);
  EXPECT_EQ(target_of(forward_leg(rollout, 2, 0, 5)), 57);
  EXPECT_EQ(direction_of(forward_leg(rollout, 2, 0, 5)), -1);
  const Leg back = backward_leg(rollout, 2, 3, 3);
  EXPECT_EQ(target_of(back), 57);
  EXPECT_EQ(direction_of(back), +1);
}

TEST(Rollout, LeakFreeReturnsSeePredictedFramesOnly) {
  // Ten contexts, depth 2: positions 10 and 11 are predictions, the rest is the anchor.
  const Leg leg = backward_leg(numbered(10, 5), 10, /*depth=*/2, /*steps=*/2, /*first_seen=*/10);
  EXPECT_THAT(values(leg.window.context), ElementsAre(11, 11, 11, 11, 11, 11, 11, 11, 11, 10));
  EXPECT_EQ(target_of(leg), 9);
  // With true frames allowed the leg starts from the oldest of the window.
  const Leg usual = backward_leg(numbered(10, 5), 10, 2, 2);
  EXPECT_THAT(values(usual.window.context), ElementsAre(11, 10, 9, 8, 7, 6, 5, 4, 3, 2));
  EXPECT_EQ(target_of(usual), 1);
}

TEST(Rollout, FewerSeedsThanContextsStillReturnToAllSeeds) {
  const Leg leg = backward_leg(numbered(1, 5), /*contexts=*/3, /*depth=*/2, /*steps=*/2);
  EXPECT_THAT(values(leg.window.context), ElementsAre(2, 2, 2));
  EXPECT_EQ(target_of(leg), 1);  // then 0, the seed
}

}  // namespace
}  // namespace roundtrip
