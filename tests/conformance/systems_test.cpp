// What every row of the list of systems must keep, whatever its physics.
#include "roundtrip/systems/systems.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/tiny_systems.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/systems/preset.h"

namespace roundtrip {
namespace {

class Systems : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<System> tiny() const {
    return make_system(GetParam(), "small", tiny_settings(GetParam()));
  }

  static std::vector<float> trajectory(const System& system, const TrajectoryKey& key) {
    const int64_t size = system.layout(key.index % system.groups()).frame_size();
    std::vector<float> values;
    system.solve(key, [&](int64_t frame, std::span<const float> frame_values) {
      EXPECT_EQ(static_cast<int64_t>(frame_values.size()), size);
      if (frame == 0) values.clear();  // after a redraw
      EXPECT_EQ(static_cast<int64_t>(values.size()), frame * size);
      values.insert(values.end(), frame_values.begin(), frame_values.end());
    });
    return values;
  }
};

TEST_P(Systems, LayoutIsComplete) {
  const auto system = tiny();
  for (int64_t group = 0; group < system->groups(); ++group) {
    const DatasetLayout layout = system->layout(group);
    EXPECT_FALSE(layout.dataset_name.empty());
    EXPECT_FALSE(layout.file_stem.empty());
    EXPECT_EQ(layout.times.size(), 4U);
    EXPECT_EQ(layout.axes.size(), 2U);
    EXPECT_GT(layout.frame_size(), 0);
    for (size_t i = 2; i < layout.times.size(); ++i) {
      const double spacing = layout.times[1] - layout.times[0];
      EXPECT_GT(spacing, 0);
      // Equally spaced to rounding.
      EXPECT_NEAR(layout.times[i] - layout.times[i - 1], spacing, 1e-12 * layout.times.back());
    }
  }
}

TEST_P(Systems, DeliversEveryFrameOfFiniteValues) {
  const auto system = tiny();
  const std::vector<float> values = trajectory(*system, {1, "train", 0});
  EXPECT_EQ(static_cast<int64_t>(values.size()), 4 * system->layout(0).frame_size());
  for (const float value : values) ASSERT_TRUE(std::isfinite(value));
}

TEST_P(Systems, TheKeyAloneDecidesTheBits) {
  const auto system = tiny();
  const TrajectoryKey key{7, "test", 3};
  const std::vector<float> alone = trajectory(*system, key);
  EXPECT_EQ(trajectory(*tiny(), key), alone);
  EXPECT_NE(trajectory(*system, {8, "test", 3}), alone);
  EXPECT_NE(trajectory(*system, {7, "valid", 3}), alone);
  EXPECT_NE(trajectory(*system, {7, "test", 3 + system->groups()}), alone);
}

TEST_P(Systems, SolvesInParallelAsAlone) {
  const auto system = tiny();
  std::vector<std::vector<float>> together(4), alone(4);
  parallel_for(4, 4, [&](int64_t i) { together[i] = trajectory(*system, {2, "train", i}); });
  for (int64_t i = 0; i < 4; ++i) alone[i] = trajectory(*system, {2, "train", i});
  EXPECT_EQ(together, alone);
}

TEST_P(Systems, BothPresetsExistAndOthersDoNot) {
  for (const PresetSummary& preset : kPresets) {
    EXPECT_NE(make_system(GetParam(), preset.name, {})->settings(), "");
  }
  EXPECT_THROW(make_system(GetParam(), "huge", {}), Error);
}

TEST_P(Systems, RecordedSettingsGiveItBackFromAnyPreset) {
  const std::string recorded = make_system(GetParam(), "paper", {})->settings();
  const auto overrides = recorded_overrides(GetParam(), recorded);
  EXPECT_EQ(make_system(GetParam(), "small", overrides)->settings(), recorded);
}

TEST_P(Systems, RefusesNonsense) {
  EXPECT_THROW(make_system(GetParam(), "small", {"frames=0"}), Error);
  EXPECT_THROW(make_system(GetParam(), "small", {"resolution=0"}), Error);
  EXPECT_THROW(make_system(GetParam(), "small", {"no_such_setting=1"}), Error);
}

INSTANTIATE_TEST_SUITE_P(All, Systems, testing::ValuesIn(names_of(systems())),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace roundtrip
