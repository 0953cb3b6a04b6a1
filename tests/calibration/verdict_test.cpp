#include "roundtrip/calibration/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

TEST(Verdict, SaysWhatFollowsFromTheGains) {
  CycleGain gain{.over_depth = {0.5, 0.1}, .over_control = {0.3, 0.1}, .control = "seed_knn"};
  EXPECT_EQ(verdict(gain),
            "C with depth: +0.50 +-0.10 nats a row over the depth alone, +0.30 +-0.10 nats a row "
            "over the best control (seed_knn). It tells what seeds and depth do not.");
  gain.over_control = {0.1, 0.1};  // one standard error
  EXPECT_THAT(verdict(gain), HasSubstr("a control that never rolls out does as well"));
  gain.over_depth = {-0.2, 0.05};
  EXPECT_THAT(verdict(gain), HasSubstr("tells nothing here that the depth does not"));
  gain.over_depth = {0.7, 0.5};
  EXPECT_THAT(verdict(gain), HasSubstr("these trajectories do not show"));
  EXPECT_EQ(verdict({.over_depth = {0.5, 0.1}, .over_control = {}, .control = ""}),
            "C with depth: +0.50 +-0.10 nats a row over the depth alone. It tells of the rollout.");
}

}  // namespace
}  // namespace roundtrip
