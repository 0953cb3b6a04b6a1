#include "roundtrip/evaluation/high_error.h"

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

TEST(HighError, IsToldByEItselfAndNotByItsOpposite) {
  Measurements measured;
  measured.test = synthetic_table("test", 20, 2, [rule = exact_rule(2)](int64_t t, int64_t d) {
    SyntheticRow row = rule(t, d);
    row["spread_seed"] = 1 / row["E"];
    row["seed_step"] = 1;
    return row;
  });
  const auto sections = evaluate_high_error(measured);
  check_sections(sections);
  const TableSection& table = table_called(sections, "Telling the worst fifth");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(ours_at(table, "1", "C"), 1);
  EXPECT_EQ(ours_at(table, "2", "spread over initial noises"), 0);
  EXPECT_EQ(ours_at(table, "2", "seed step (baseline)"), 0.5);
}

}  // namespace
}  // namespace roundtrip
