#include "roundtrip/evaluation/alarm_rates.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

// Rings when log C exceeds 1 at depth 1 or 2.
Measurements alarmed_measurements(double threshold) {
  Measurements measured;
  measured.calibrators.alarms = {{.signal = "C",
                                  .depths = {1, 2},
                                  .mean = {0, 0},
                                  .sigma = {1, 1},
                                  .trajectories = 19,
                                  .levels = {0.9, 0.95},
                                  .thresholds = {0.5, threshold}}};
  measured.test = synthetic_table("test", 4, 2, [](int64_t t, int64_t d) {
    return SyntheticRow{{"C", t == 3 && d == 2 ? std::exp(2.0) : 1.0}};
  });
  measured.scenarios["louder"] = synthetic_table("test", 2, 2, [](int64_t, int64_t) {
    return SyntheticRow{{"C", std::exp(1.5)}};
  });
  return measured;
}

TEST(AlarmRates, AreSharesOfWholeRollouts) {
  const auto table = alarm_rates_table(alarmed_measurements(1));
  ASSERT_TRUE(table);
  EXPECT_EQ(ours_at(*table, "test", "rings on C"), 0.25);
  EXPECT_EQ(ours_at(*table, "louder", "rings on C"), 1);
  EXPECT_EQ(cell_at(*table, "louder", "number").text, "2");
}

TEST(AlarmRates, SayWhenAnAlarmCannotRing) {
  const auto table = alarm_rates_table(alarmed_measurements(INFINITY));
  EXPECT_EQ(ours_at(*table, "louder", "rings on C"), 0);
  EXPECT_THAT(table->notes.at(0), testing::HasSubstr("never rings"));
  EXPECT_FALSE(alarm_rates_table({}));
}

}  // namespace
}  // namespace roundtrip
