#include "roundtrip/systems/talking_head.h"

#include <array>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

using Frames = std::vector<std::vector<float>>;

Frames clip(const System& system, const TrajectoryKey& key) {
  Frames frames;
  system.solve(key, [&](int64_t frame, std::span<const float> values) {
    EXPECT_EQ(frame, static_cast<int64_t>(frames.size()));
    frames.emplace_back(values.begin(), values.end());
  });
  return frames;
}

double rms_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::pow(static_cast<double>(a[i]) - b[i], 2);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

// The top left pixel shows the background, which belongs to the identity and does not move.
std::array<float, 3> corner(const std::vector<float>& frame) {
  const size_t plane = frame.size() / 3;
  return {frame[0], frame[plane], frame[2 * plane]};
}

TEST(TalkingHead, LayoutDescribesTheFrames) {
  const auto system = make_talking_head("small", {"frames=3"});
  const DatasetLayout layout = system->layout(0);
  EXPECT_EQ(layout.channels(), 3);
  EXPECT_EQ(layout.frame_size(), 3 * 64 * 64);
  EXPECT_EQ(layout.times, (std::vector<double>{0, 0.04, 0.08}));
  EXPECT_EQ(system->storage(), "video");
  const Frames frames = clip(*system, {0, "train", 0});
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(static_cast<int64_t>(frames[0].size()), layout.frame_size());
}

TEST(TalkingHead, PaperPresetIs256) {
  const auto system = make_talking_head("paper", {});
  EXPECT_EQ(system->layout(0).frame_size(), 3 * 256 * 256);
  EXPECT_EQ(system->layout(0).times.size(), 75u);
}

TEST(TalkingHead, SameKeySameBits) {
  const auto system = make_talking_head("small", {"frames=6"});
  const TrajectoryKey key = {7, "valid", 3};
  const Frames first = clip(*system, key);
  clip(*system, {7, "valid", 4});
  EXPECT_EQ(first, clip(*make_talking_head("small", {"frames=6"}), key));
}

TEST(TalkingHead, ValuesAreColours) {
  const auto system = make_talking_head("small", {});
  for (int64_t index = 0; index < 20; ++index) {
    for (const auto& frame : clip(*system, {1, "train", index})) {
      for (const float value : frame) ASSERT_TRUE(value >= 0 && value <= 1);  // false for NaN
    }
  }
}

// Consecutive frames at 25 per second differ a little and never not at all; frames a second apart
// differ more. Measured over 200 clips: steps of 0.0013 to 0.041, 6.2 times as much after a second;
// with hard edges instead of anti-aliased ones up to 0.082, and 2.9 times.
TEST(TalkingHead, MovesSmoothly) {
  const auto system = make_talking_head("small", {});
  double near = 0, far = 0;
  for (int64_t index = 0; index < 20; ++index) {
    const Frames frames = clip(*system, {2, "train", index});
    for (size_t k = 25; k < frames.size(); ++k) {
      const double step = rms_difference(frames[k], frames[k - 1]);
      EXPECT_GT(step, 5e-4);
      EXPECT_LT(step, 0.06);
      near += step;
      far += rms_difference(frames[k], frames[k - 25]);
    }
  }
  EXPECT_GT(far, 4 * near);
}

TEST(TalkingHead, IdentityIsConstantInItsClipsAndNowhereElse) {
  const auto system = make_talking_head("small", {"frames=4", "clips_per_identity=3"});
  const auto& source = *system;
  std::set<std::array<float, 3>> backgrounds;
  std::set<std::string> names;
  for (const uint64_t seed : {1, 2}) {
    for (const char* split : {"train", "valid", "test"}) {
      for (int64_t identity = 0; identity < 5; ++identity) {
        std::set<std::array<float, 3>> seen;
        for (int64_t take = 0; take < 3; ++take) {
          const TrajectoryKey key = {seed, split, 3 * identity + take};
          for (const auto& frame : clip(*system, key)) seen.insert(corner(frame));
          names.insert(source.identity(key));
        }
        EXPECT_EQ(seen.size(), 1u);
        backgrounds.insert(*seen.begin());
      }
    }
  }
  EXPECT_EQ(backgrounds.size(), 30u);
  EXPECT_EQ(names.size(), 15u);
  EXPECT_EQ(source.identity({1, "valid", 7}), "valid-00002");
}

TEST(TalkingHead, ClipsOfOneIdentityMoveDifferently) {
  const auto system = make_talking_head("small", {"frames=1", "clips_per_identity=2"});
  EXPECT_NE(clip(*system, {1, "train", 0})[0], clip(*system, {1, "train", 1})[0]);
}

// Edges are covered by area: twice the resolution, averaged, is nearly the picture itself, here to
// 0.0076 rms; lines thinner than a pixel are what is left. With coverage replaced by a step at the
// edge the same faces differ by 0.032.
TEST(TalkingHead, EdgesAreAntiAliased) {
  const auto coarse = make_talking_head("small", {"frames=1"});
  const auto fine = make_talking_head("small", {"frames=1", "resolution=128"});
  double squares = 0;
  constexpr int kFaces = 12;
  for (int64_t index = 0; index < kFaces; ++index) {
    const auto small = clip(*coarse, {5, "train", 2 * index})[0];
    const auto large = clip(*fine, {5, "train", 2 * index})[0];
    std::vector<float> mean(small.size());
    for (size_t i = 0; i < mean.size(); ++i) {
      const size_t plane = i / 4096, row = i / 64 % 64, column = i % 64;
      const float* corner = large.data() + plane * 16384 + 2 * row * 128 + 2 * column;
      mean[i] = (corner[0] + corner[1] + corner[128] + corner[129]) / 4;
    }
    squares += std::pow(rms_difference(small, mean), 2) / kFaces;
  }
  EXPECT_LT(std::sqrt(squares), 0.012);
}

TEST(TalkingHead, SettingsAndMistakes) {
  const auto system = make_talking_head("small", {"rate=30", "resolution=96"});
  EXPECT_NE(system->settings().find("rate = 30.0"), std::string::npos);
  EXPECT_THROW(make_talking_head("small", {"resolution=63"}), Error);
  EXPECT_THROW(make_talking_head("small", {"frames=0"}), Error);
  EXPECT_THROW(make_talking_head("small", {"rate=0"}), Error);
  EXPECT_THROW(make_talking_head("small", {"hats=1"}), Error);
  EXPECT_THROW(make_talking_head("huge", {}), Error);
}

}  // namespace
}  // namespace roundtrip
