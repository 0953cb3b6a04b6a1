#include "roundtrip/diffusion/noise_levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SpacedSteps, LeadingStridesAreThoseOfThePapersSamplers) {
  struct Case {
    int64_t schedule_steps, calls, first, stride;
  };
  for (const Case& c : {Case{1000, 50, 980, 20}, Case{200, 25, 192, 8}, Case{1000, 30, 986, 34},
                        Case{1000, 1000, 999, 1}}) {
    const std::vector<int64_t> steps = spaced_steps(Spacing::leading, c.schedule_steps, c.calls);
    ASSERT_EQ(static_cast<int64_t>(steps.size()), c.calls);
    for (int64_t i = 0; i < c.calls; ++i) {
      EXPECT_EQ(steps[static_cast<size_t>(i)], c.first - i * c.stride);
    }
    EXPECT_EQ(steps.back(), 0);
  }
}

TEST(SpacedSteps, ANumberThatNoStrideGivesNamesItsNeighbours) {
  // Strides 2 and 3 of 1000 steps visit 500 and 334.
  EXPECT_THAT(error_of([] { spaced_steps(Spacing::leading, 1000, 400); }),
              HasSubstr("no stride visits 400 of 1000 diffusion steps; the nearest possible are "
                        "334 and 500, or use spacing=trailing"));
  EXPECT_THAT(error_of([] { spaced_steps(Spacing::leading, 1000, 1); }),
              HasSubstr("one call with spacing=leading would be at k = 0"));
  EXPECT_THAT(error_of([] { spaced_steps(Spacing::trailing, 10, 11); }),
              HasSubstr("expected between 1 and the schedule's 10, found 11"));
  EXPECT_THAT(error_of([] { spaced_steps(Spacing::trailing, 10, 0); }), HasSubstr("found 0"));
}

TEST(SpacedSteps, TrailingStartsAtPureNoise) {
  EXPECT_THAT(spaced_steps(Spacing::trailing, 1000, 1), ElementsAre(999));
  EXPECT_THAT(spaced_steps(Spacing::trailing, 1000, 5), ElementsAre(999, 799, 599, 399, 199));
  EXPECT_THAT(spaced_steps(Spacing::trailing, 10, 4), ElementsAre(9, 7, 4, 2));  // 10, 7.5, 5, 2.5
}

TEST(SpacedSteps, RefiningStartsAtPureNoiseAndQuarters) {
  EXPECT_THAT(spaced_steps(Spacing::refining, 1000, 1), ElementsAre(999));
  EXPECT_THAT(spaced_steps(Spacing::refining, 1000, 6), ElementsAre(999, 249, 62, 15, 3, 0));
  EXPECT_THAT(error_of([] { spaced_steps(Spacing::refining, 1000, 7); }),
              HasSubstr("expected at most 6 calls with spacing=refining and 1000 noise levels, "
                        "found 7"));
}

TEST(SpacedSteps, AnyNumberOfTrailingCallsDescendsWithoutRepeats) {
  for (int64_t calls = 1; calls <= 200; ++calls) {
    const std::vector<int64_t> steps = spaced_steps(Spacing::trailing, 200, calls);
    ASSERT_EQ(static_cast<int64_t>(steps.size()), calls);
    EXPECT_EQ(steps.front(), 199);
    EXPECT_GE(steps.back(), 0);
    for (size_t i = 1; i < steps.size(); ++i) EXPECT_LT(steps[i], steps[i - 1]);
  }
}

TEST(NoiseLevels, EachLeadsToTheNextAndTheLastToTheCleanFrame) {
  const NoiseSchedule schedule(200);
  const std::vector<NoiseLevel> levels = noise_levels(schedule, Spacing::leading, 25);
  for (size_t i = 0; i < levels.size(); ++i) {
    EXPECT_EQ(levels[i].alpha_bar, schedule.alpha_bar(levels[i].k));
    EXPECT_EQ(levels[i].next_alpha_bar, i + 1 < levels.size() ? levels[i + 1].alpha_bar : 1.0);
  }
}

}  // namespace
}  // namespace roundtrip
