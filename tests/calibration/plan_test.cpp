#include "roundtrip/calibration/plan.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "roundtrip/calibration/signal_table.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

bool has(const std::vector<PlannedFit>& plan, const CalibratorKey& key, bool baseline) {
  return std::any_of(plan.begin(), plan.end(), [&](const PlannedFit& fit) {
    return fit.key == key && fit.baseline == baseline;
  });
}

TEST(Plan, UsesTheColumnsThereAre) {
  const auto plan = calibration_plan({"C", "E", "E_pair", "seed_step", "E_density"});
  for (const char* target : {"E", "E_density"}) {
    EXPECT_TRUE(has(plan, {target, "none", "alone"}, true));
    EXPECT_TRUE(has(plan, {target, "depth", "alone"}, true));
    EXPECT_TRUE(has(plan, {target, "seed_step", "depth"}, true));
    EXPECT_TRUE(has(plan, {target, "C", "alone"}, false));
  }
  EXPECT_TRUE(has(plan, {"E", "C", "isotonic"}, false));
  const auto regenerated = calibration_plan({"C", "C_regenerated", "E"});
  EXPECT_TRUE(has(regenerated, {"E", "C_regenerated", "alone"}, false));
  EXPECT_TRUE(has(regenerated, {"E", "C_regenerated", "depth"}, false));
  for (const PlannedFit& fit : plan) {
    EXPECT_NE(fit.key.signal, "seed_knn");
    EXPECT_NE(fit.key.features, "spread_seed");
    EXPECT_NE(fit.key.target, "E_pair");
  }
}

TEST(Plan, BackwardErrorsGoWithBackwardCycles) {
  const auto plan = calibration_plan({"E_back", "C_back", "C", "seed_step"});
  EXPECT_TRUE(has(plan, {"E_back", "C_back", "depth"}, false));
  for (const PlannedFit& fit : plan) {
    EXPECT_NE(fit.key.signal, "C");
    EXPECT_NE(fit.key.signal, "seed_step");  // of the other end
  }
}

TEST(Plan, BaselinesAreThoseWhoseMeanMayFall) {
  const auto plan = calibration_plan({"C", "C_leakfree", "E", "E_back", "C_back", "E_density",
                                      "seed_step", "seed_knn", "seed_codec", "spread_seed"});
  for (const PlannedFit& fit : plan) {
    EXPECT_EQ(fit.baseline, is_baseline(fit.key.signal)) << fit.key.text();
  }
}

TEST(Plan, NeedsAnError) {
  EXPECT_EQ(error_of([] {
              calibration_plan({"C", "E_pair"});
            }),
            "[calibrate] expected an error column (E, E_back or E_<field>), found C, E_pair");
}

}  // namespace
}  // namespace roundtrip
