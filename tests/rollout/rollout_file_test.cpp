#include "roundtrip/rollout/rollout_file.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "roundtrip/formats/well_reader.h"
#include "tests/support/ramp_model.h"

namespace roundtrip {
namespace {

constexpr int64_t kFrame = 12;  // values of a ramp's frame
constexpr int64_t kFrames = 12;

// Value 0 of every frame that a rollout of trajectory 1 has, by a model that adds `gain` a step
// forward and takes 1 away a step back.
std::vector<float> written(double gain, int64_t direction, int64_t depth) {
  const auto path = std::filesystem::path(testing::TempDir()) / "rollout_file.hdf5";
  write_rollouts({.out = path, .depth = depth, .direction = direction, .force = true},
                 ramp_surrogate(gain), RampDataset(), {}, "test", [](int64_t, int64_t) {});
  const WellReader file(path);
  const int64_t frames = file.header().frames();
  std::vector<float> values(static_cast<size_t>(frames * kFrame)), firsts;
  file.read_window(/*trajectory=*/1, 0, frames, values);
  for (int64_t t = 0; t < frames; ++t) firsts.push_back(values[static_cast<size_t>(t * kFrame)]);
  return firsts;
}

// Frame t of trajectory 1 starts with 10 + t.
TEST(RolloutFile, ForwardFramesFollowTheSeeds) {
  const std::vector<float> found = written(1.5, +1, 4);
  EXPECT_EQ(found, (std::vector<float>{10, 11, 12.5, 14, 15.5, 17}));
}

TEST(RolloutFile, BackwardFramesStandBeforeTheSeedsInTheOrderOfTime) {
  const std::vector<float> found = written(1.5, -1, kFrames - 2);
  ASSERT_EQ(found.size(), static_cast<size_t>(kFrames));
  for (int64_t t = 0; t < kFrames; ++t) {
    EXPECT_EQ(found[static_cast<size_t>(t)], static_cast<float>(10 + t));
  }
}

TEST(RolloutFile, ForwardRolloutsMayGoBeyondTheData) {
  EXPECT_EQ(written(1, +1, 20).back(), 10 + 21);
}

}  // namespace
}  // namespace roundtrip
