#include "roundtrip/study/high_error.h"

#include <gtest/gtest.h>

#include "study/synthetic.h"

namespace roundtrip {
namespace {

TEST(HighError, IsToldByEItselfAndNotByItsOpposite) {
  Evidence evidence;
  evidence.test = synthetic_table("test", 20, 2, [rule = exact_rule(2)](int64_t t, int64_t d) {
    SyntheticRow row = rule(t, d);
    row["spread_seed"] = 1 / row["E"];
    row["seed_step"] = 1;
    return row;
  });
  const auto sections = study_high_error(evidence);
  check_sections(sections);
  const TableSection& table = table_called(sections, "Telling the worst fifth");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(ours_at(table, "1", "C"), 1);
  EXPECT_EQ(ours_at(table, "2", "spread over start noises"), 0);
  EXPECT_EQ(ours_at(table, "2", "seed step (control)"), 0.5);
}

}  // namespace
}  // namespace roundtrip
