#include "roundtrip/measurement/scenarios.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/measurement/measure_parts.h"
#include "roundtrip/systems/systems.h"

namespace roundtrip {
namespace {

using ::testing::ElementsAre;

TEST(Scenarios, AllAreSettingsOfTheirSystem) {
  std::set<std::string_view> names;
  for (const ScenarioEntry& row : scenarios()) {
    EXPECT_NO_THROW(make_system(row.system, "small", row.overrides)) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_GE(row.trajectories, 1);
  }
}

TEST(Scenarios, PartsAreLikeTheTrainingButForTheirOwnSettings) {
  TrainingSource source;
  source.system = "mhd";
  source.overrides = {"end_time=1.18"};
  const auto all = test_parts(source, 5, 30);
  EXPECT_EQ(all.size(), 1 + scenarios_of("mhd").size());
  EXPECT_EQ(all.front().name, "test");
  EXPECT_EQ(all.front().trajectories, 30);
  EXPECT_THAT(all.front().overrides, ElementsAre("end_time=1.18"));
  const auto one = test_parts(source, 5, 30, {"blast"});
  ASSERT_EQ(one.size(), 2U);
  EXPECT_EQ(one.back().name, "ood-blast");
  EXPECT_EQ(one.back().seed, 5U);
  EXPECT_THAT(one.back().overrides, ElementsAre("end_time=1.18", "initial=blast"));
  source.system = "navier_stokes";
  EXPECT_EQ(test_parts(source, 5, 30).size(), 1U);
}

}  // namespace
}  // namespace roundtrip
