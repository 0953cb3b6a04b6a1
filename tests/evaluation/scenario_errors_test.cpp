#include "roundtrip/evaluation/scenario_errors.h"

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

// Errors a hundred times those of the test rollouts; C sees them or sees their opposite.
CurveTable worse_scenario(bool seen) {
  return synthetic_table("test", 5, 3, [seen, rule = exact_rule(7)](int64_t t, int64_t d) {
    const double e = 100 * rule(t, d).at("E");
    return SyntheticRow{{"E", e}, {"C", seen ? e : 1 / e}};
  });
}

TEST(ScenarioErrors, AreToldBySignalsThatSeeThem) {
  Measurements measured;
  measured.test = synthetic_table("test", 20, 3, exact_rule(2));
  const CurveTable seen = worse_scenario(true), unseen = worse_scenario(false);
  const TableSection good = scenario_errors_table(measured, "seen", {&seen});
  EXPECT_EQ(good.rows.size(), 4u);
  EXPECT_EQ(ours_at(good, "2", "C"), 1);
  EXPECT_EQ(ours_at(good, "mean over depths", "C"), 1);
  // Six rows are above the 95th percentile of twenty: the highest of the test ones, which C tells
  // from nineteen others, and the five, which are below all of these.
  const TableSection bad = scenario_errors_table(measured, "unseen", {&unseen});
  EXPECT_NEAR(ours_at(bad, "2", "C"), 1. / 6, 1e-12);
  const TableSection both = scenario_errors_table(measured, "all", {&seen, &unseen});
  EXPECT_NEAR(ours_at(both, "2", "C"), 6. / 11, 1e-12);
}

}  // namespace
}  // namespace roundtrip
