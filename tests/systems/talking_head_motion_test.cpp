#include "roundtrip/systems/talking_head_motion.h"

#include <cmath>

#include <gtest/gtest.h>

namespace roundtrip::talking_head {
namespace {

// Mean over clips of x(0) x(lag) and so on, for the head's horizontal shift over its own scale.
struct Moments {
  double variance = 0;
  double lagged = 0;
};
Moments moments_of_shift(int64_t clips, int64_t lag_frames, double rate) {
  Moments sum;
  for (int64_t clip = 0; clip < clips; ++clip) {
    const RandomStream stream(1, "motion", static_cast<uint64_t>(clip));
    const auto poses = draw_motion(stream, lag_frames + 1, rate);
    const double first = poses.front().x / 0.045, last = poses.back().x / 0.045;
    sum.variance += last * last / static_cast<double>(clips);
    sum.lagged += first * last / static_cast<double>(clips);
  }
  return sum;
}

// A critically damped process has variance 1 and correlation (1 + a t) exp(-a t), whatever the
// steps. Bounds: 4 standard errors of 4000 independent clips, sqrt(2 / 4000) each.
TEST(TalkingHeadMotion, HasItsStationaryLawAtAnyRate) {
  constexpr double kRate = 1.2;  // 1/s, of the horizontal shift
  constexpr double kBound = 4 * 0.0224;
  for (const auto& [frames, rate] : {std::pair<int64_t, double>{18, 25.0}, {6, 25.0 / 3}}) {
    const double time = static_cast<double>(frames) / rate;  // 0.72 s
    const Moments moments = moments_of_shift(4000, frames, rate);
    EXPECT_NEAR(moments.variance, 1, kBound);
    EXPECT_NEAR(moments.lagged, (1 + kRate * time) * std::exp(-kRate * time), kBound);
  }
}

// Mean square increments grow as time squared: there is a velocity. White-noise forcing of first
// order would give a ratio of 2.
TEST(TalkingHeadMotion, Glides) {
  double one = 0, two = 0;
  for (uint64_t clip = 0; clip < 40; ++clip) {
    const auto poses = draw_motion(RandomStream(2, "motion", clip), 75, 25);
    for (size_t k = 2; k < poses.size(); ++k) {
      one += std::pow(poses[k].x - poses[k - 1].x, 2);
      two += std::pow(poses[k].x - poses[k - 2].x, 2);
    }
  }
  EXPECT_GT(two / one, 3.8);
  EXPECT_LT(two / one, 4.0);
}

TEST(TalkingHeadMotion, LongerClipsBeginTheSame) {
  const RandomStream stream(3, "motion", 0);
  const auto brief = draw_motion(stream, 10, 25), full = draw_motion(stream, 50, 25);
  for (size_t k = 0; k < brief.size(); ++k) {
    EXPECT_EQ(brief[k].x, full[k].x);
    EXPECT_EQ(brief[k].lids, full[k].lids);
    EXPECT_EQ(brief[k].mouth_open, full[k].mouth_open);
  }
}

// Blinks come every 1.2 to 4.5 s and shut the eyes; speech comes in bursts with rests between.
TEST(TalkingHeadMotion, BlinksAndTalks) {
  constexpr double kSeconds = 400;
  const auto poses = draw_motion(RandomStream(4, "motion", 0), int64_t{25 * 400}, 25);
  int blinks = 0, resting = 0, wide = 0;
  bool closed = false;
  for (const Pose& pose : poses) {
    ASSERT_GE(pose.mouth_open, 0);
    ASSERT_LE(pose.mouth_open, 1);
    ASSERT_GE(pose.lids, 0);
    if (pose.lids < 0.3 && !closed) ++blinks;
    closed = pose.lids < 0.3;
    resting += pose.mouth_open < 0.02;
    wide += pose.mouth_open > 0.5;
  }
  EXPECT_NEAR(blinks, kSeconds / 2.85, 20);
  EXPECT_GT(resting, poses.size() / 10);
  EXPECT_GT(wide, poses.size() / 20);
}

}  // namespace
}  // namespace roundtrip::talking_head
