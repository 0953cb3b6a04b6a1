#include "roundtrip/evaluation/tolerance.h"

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

// E = depth times the trajectory's number; C is E.
SyntheticRule linear_rule(uint64_t) {
  return [](int64_t t, int64_t d) {
    const double e = static_cast<double>(d * (t % 5 + 1));
    return SyntheticRow{{"E", e}, {"C", e}};
  };
}

const TableSection& middle_table(const std::vector<Section>& sections) {
  return std::get<TableSection>(sections.at(1));  // the median
}

TEST(Tolerance, CItselfIsTheTruthWhereItIsE) {
  const auto sections = evaluate_tolerance(synthetic_measurements(linear_rule, 5, 6));
  check_sections(sections);
  ASSERT_EQ(sections.size(), 3u);
  const TableSection& table = middle_table(sections);
  EXPECT_EQ(ours_at(table, "C itself", "mean distance from the truth"), 0);
  EXPECT_EQ(ours_at(table, "C itself", "misses"), 0);
  EXPECT_NEAR(ours_at(table, "C itself", "Spearman"), 1, 1e-12);
  // Half of the thirty products are at most 8: depths 6, 4, 2, 2 and 1.
  EXPECT_EQ(ours_at(table, "the truth", "mean depth"), 3);
  EXPECT_EQ(ours_at(table, "C itself", "mean depth"), 3);
}

TEST(Tolerance, ABoundThatIsTooLowMisses) {
  Measurements measured = synthetic_measurements(linear_rule, 5, 6);
  for (Curve& curve : measured.test.curves) {
    for (double& e : curve.columns["E"]) e *= 1.9;  // more than C knows
  }
  const auto missed = evaluate_tolerance(measured);
  EXPECT_DOUBLE_EQ(ours_at(middle_table(missed), "upper 95 %, C and depth", "misses"),
                   0.8);  // all but the first
  for (Curve& curve : measured.test.curves) {
    for (double& e : curve.columns["E"]) e /= 1.9 * 1.9;  // less than C knows
  }
  const auto sections = evaluate_tolerance(measured);
  EXPECT_EQ(ours_at(middle_table(sections), "upper 95 %, C and depth", "misses"), 0);
}

}  // namespace
}  // namespace roundtrip
