#include "roundtrip/data/training_samples.h"

#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "roundtrip/base/error.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

// Five standard deviations of a binomial count.
void expect_share(int64_t hits, int64_t trials, double share) {
  const double n = static_cast<double>(trials);
  EXPECT_NEAR(static_cast<double>(hits), n * share, 5 * std::sqrt(n * share * (1 - share)));
}

TEST(TrainingSamples, AnEpochShowsEveryStepOnce) {
  const std::vector<int64_t> lengths = {5, 2, 9};
  const TrainingSamples samples(lengths, {.p_bwd = 0.5, .seed = 4});
  ASSERT_EQ(samples.per_epoch(), 13);
  for (int64_t epoch = 0; epoch < 5; ++epoch) {
    std::set<std::pair<int64_t, int64_t>> steps;
    for (int64_t i = 0; i < 13; ++i) {
      const TrainingSample sample = samples.at(epoch * 13 + i);
      const Window& window = sample.window;
      const int64_t length = lengths[static_cast<size_t>(sample.trajectory)];
      const int64_t place = window.direction > 0 ? window.target - 1 : window.target;
      EXPECT_EQ(window.anchor, window.direction > 0 ? 0 : length - 1);
      EXPECT_EQ(window, window_at(window.target, window.direction, 2, window.anchor));
      EXPECT_GE(place, 0);
      EXPECT_LE(place, length - 2);
      steps.emplace(sample.trajectory, place);
    }
    EXPECT_EQ(steps.size(), 13u);
  }
}

// Every window of n + 1 frames once an epoch; no anchor lies inside one.
TEST(TrainingSamples, FullWindowsHaveNoPadding) {
  const std::vector<int64_t> lengths = {6, 4, 9};
  for (const double augmentation : {0.0, 1.0}) {
    const TrainingSamples samples(
        lengths, {.contexts = 3, .anchor_augmentation = augmentation, .full_windows = true});
    ASSERT_EQ(samples.per_epoch(), 3 + 1 + 6);
    std::set<std::pair<int64_t, int64_t>> seen;
    for (int64_t i = 0; i < 10; ++i) {
      const auto [trajectory, window] = samples.at(i);
      const int64_t length = lengths[static_cast<size_t>(trajectory)];
      const int64_t oldest = window.target - 3 * window.direction;
      EXPECT_EQ(window.context.front(), oldest);
      EXPECT_GE((oldest - window.anchor) * window.direction, 0);
      EXPECT_GE(std::min({window.anchor, window.target, oldest}), 0);
      EXPECT_LT(std::max({window.anchor, window.target, oldest}), length);
      if (augmentation == 0) EXPECT_EQ(window.anchor, window.direction > 0 ? 0 : length - 1);
      seen.emplace(trajectory, std::min(window.target, oldest));
    }
    EXPECT_EQ(seen.size(), 10u);
  }
}

TEST(TrainingSamples, EpochsDifferAndSamplesDependOnSeedAndIndexAlone) {
  const std::vector<int64_t> lengths(20, 10);
  const TrainingSamples samples(lengths, {.seed = 4}), same(lengths, {.seed = 4}),
      other(lengths, {.seed = 5});
  int64_t equal_epochs = 0, equal_seeds = 0;
  for (int64_t i = 179; i >= 0; --i) {
    EXPECT_EQ(samples.at(i), same.at(i));
    equal_epochs += samples.at(i) == samples.at(i + 180);
    equal_seeds += samples.at(i) == other.at(i);
  }
  EXPECT_LE(equal_epochs, 10);  // by chance about 1 in 180 steps, half of them in one direction
  EXPECT_LE(equal_seeds, 10);
}

TEST(TrainingSamples, DirectionsComeAsOftenAsAsked) {
  constexpr int64_t kDraws = 4000;
  for (const double p_bwd : {0.0, 0.25, 0.5, 1.0}) {
    const TrainingSamples samples({11, 11}, {.p_bwd = p_bwd, .seed = 9});
    int64_t backward = 0;
    for (int64_t i = 0; i < kDraws; ++i) backward += samples.at(i).window.direction < 0;
    expect_share(backward, kDraws, p_bwd);
  }
}

TEST(TrainingSamples, AugmentedAnchorsAreUniformBeforeTheTarget) {
  constexpr int64_t kDraws = 40000, kLength = 6;
  const TrainingSamples samples({kLength}, {.p_bwd = 0.5, .anchor_augmentation = 1, .seed = 2});
  std::map<std::tuple<int, int64_t, int64_t>, int64_t> counts;
  std::map<std::pair<int, int64_t>, int64_t> totals;
  for (int64_t i = 0; i < kDraws; ++i) {
    const Window window = samples.at(i).window;
    EXPECT_EQ(window, window_at(window.target, window.direction, 2, window.anchor));
    ++counts[{window.direction, window.target, window.anchor}];
    ++totals[{window.direction, window.target}];
  }
  EXPECT_EQ(totals.size(), 10u);  // targets 1..5 forward, 0..4 backward
  EXPECT_EQ(counts.size(), 30u);  // 1 + 2 + ... + 5 anchors each way
  for (const auto& [key, count] : counts) {
    const auto [direction, target, anchor] = key;
    const int64_t choices = direction > 0 ? target : kLength - 1 - target;
    const int64_t total = totals[{direction, target}];
    if (choices == 1) {
      EXPECT_EQ(count, total);
    } else {
      expect_share(count, total, 1.0 / static_cast<double>(choices));
    }
  }
}

TEST(TrainingSamples, AugmentationComesAsOftenAsAsked) {
  constexpr int64_t kDraws = 10000, kLength = 101;
  const TrainingSamples samples({kLength}, {.p_bwd = 0, .anchor_augmentation = 0.3, .seed = 2});
  int64_t moved = 0;
  double expected = 0;  // an augmented anchor is 0 all the same with probability 1 / target
  for (int64_t i = 0; i < kDraws; ++i) {
    const Window window = samples.at(i).window;
    moved += window.anchor != 0;
    expected += 0.3 * (1 - 1.0 / static_cast<double>(window.target)) / kDraws;
  }
  expect_share(moved, kDraws, expected);
}

TEST(TrainingSamples, SharesOutsideZeroToOneAreErrors) {
  EXPECT_THAT(error_of([] { TrainingSamples({3}, {.p_bwd = 1.5}); }),
              HasSubstr("p_bwd: expected 0 to 1, found 1.5"));
  EXPECT_THAT(error_of([] { TrainingSamples({3}, {.anchor_augmentation = -1}); }),
              HasSubstr("anchor_augmentation"));
  EXPECT_THROW(TrainingSamples({3, 1}, {}), Bug);
}

}  // namespace
}  // namespace roundtrip
