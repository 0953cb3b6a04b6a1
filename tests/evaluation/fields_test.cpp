#include "roundtrip/evaluation/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// Two fields: one is C itself, the other a hundredth of it. All tables are the same, so that none
// leaves what the others' calibrators have seen.
SyntheticRule two_fields_rule(uint64_t) {
  return [rule = exact_rule(1)](int64_t t, int64_t d) {
    SyntheticRow row = rule(t / 2, d);
    row["E_density"] = row["C"];
    row["E_vorticity"] = row["C"] / 100;
    return row;
  };
}

TEST(Fields, AreKnownExactlyWhereTheyAreC) {
  const auto sections = beside_paper(evaluate_fields, synthetic_measurements(two_fields_rule));
  check_sections(sections);
  const TableSection& table = table_called(sections, "Errors of decoded fields");
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_NEAR(ours_at(table, "density", "x95"), 1, 1e-3);
  EXPECT_NEAR(ours_at(table, "vorticity", "x68"), 1, 1e-3);
  EXPECT_EQ(cell_at(table, "density", "x68").paper, 1.18);
  EXPECT_FALSE(cell_at(table, "vorticity", "x68").paper);
  // A factor changes no gain; the mean of equals is each.
  const double gain = ours_at(table, "density", "gain");
  EXPECT_GT(gain, 3);
  EXPECT_NEAR(ours_at(table, "vorticity", "gain"), gain, 1e-3);
  EXPECT_NEAR(ours_at(table, "mean", "gain"), gain, 1e-3);
  EXPECT_EQ(cell_at(table, "mean", "gain").paper, .59);
}

TEST(Fields, NeedFields) {
  const Measurements measured = synthetic_measurements(exact_rule, 3);
  EXPECT_THAT(error_of([&] { evaluate_fields(measured); }), testing::HasSubstr("E_<field>"));
}

}  // namespace
}  // namespace roundtrip
