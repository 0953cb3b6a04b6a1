#include "roundtrip/evaluation/correlations.h"

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

// C = E but for depth 20, where it is 1 / E.
Measurements turning_measurements() {
  Measurements measured;
  measured.system = "mhd";
  measured.test = synthetic_table("test", 8, 20, [rule = exact_rule(3)](int64_t t, int64_t d) {
    SyntheticRow row = rule(t, d);
    if (d == 20) row["C"] = 1 / row["E"];
    return row;
  });
  return measured;
}

TEST(Correlations, AreExactWhereCIsE) {
  const auto sections = beside_paper(evaluate_correlations, turning_measurements());
  check_sections(sections);
  const TableSection& table = table_called(sections, "C and E at a fixed depth");
  EXPECT_EQ(table.rows.size(), 20u);
  EXPECT_NEAR(ours_at(table, "7", "Spearman"), 1, 1e-12);
  EXPECT_NEAR(ours_at(table, "7", "Pearson of logarithms"), 1, 1e-12);
  EXPECT_NEAR(ours_at(table, "20", "Spearman"), -1, 1e-12);
  EXPECT_EQ(cell_at(table, "20", "Spearman").paper, .97);
  const TableSection& within = table_called(sections, "C and E along a rollout");
  EXPECT_LT(ours_at(within, "Spearman", "mean"), 1);
  EXPECT_EQ(cell_at(within, "Spearman", "mean").paper, .69);
}

}  // namespace
}  // namespace roundtrip
