#include "roundtrip/evaluation/signals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// C is E; the spread falls as E rises. A vortex has a hundred times the C and a hundredth of the
// spread.
SyntheticRule opposed_rule(uint64_t stream, double scale = 1) {
  return [scale, rule = following_rule(stream)](int64_t t, int64_t d) {
    SyntheticRow row = rule(t, d);
    row["C"] = row["E"] * scale;
    row["spread_seed"] = 1 / row["C"];
    return row;
  };
}

Measurements opposed_measurements() {
  Measurements measured = synthetic_measurements(
      [](uint64_t stream) { return opposed_rule(stream); }, 12, /*depths=*/10);
  measured.scenarios["orszag_tang"] = synthetic_table("test", 1, 10, opposed_rule(4, 100));
  measured.cost["C"] = 2;
  return measured;
}

TEST(Signals, RankTheError) {
  const auto sections = beside_paper(evaluate_signals, opposed_measurements());
  check_sections(sections);
  const TableSection& table = table_called(sections, "Signals: ranking the error");
  ASSERT_EQ(table.rows.size(), 3u);  // C, spread_seed, seed_step
  EXPECT_NEAR(ours_at(table, "C", "at depth 5"), 1, 1e-12);
  EXPECT_NEAR(ours_at(table, "spread over initial noises", "at depth 10"), -1, 1e-12);
  EXPECT_NEAR(ours_at(table, "C", "within"), 1, 1e-12);
  EXPECT_NEAR(ours_at(table, "C", "within, deviation"), 0, 1e-12);
  // The seed knows nothing of depths, and depth 20 is not there.
  EXPECT_EQ(cell_at(table, "seed step (baseline)", "within").text, "-");
  EXPECT_EQ(table.columns.size(), 5u);
  EXPECT_THAT(table.notes, testing::SizeIs(1));
}

TEST(Signals, PredictTheErrorAndTellTheVortex) {
  const auto sections = beside_paper(evaluate_signals, opposed_measurements());
  const TableSection& table = table_called(sections, "Signals: predicting the error");
  EXPECT_NEAR(ours_at(table, "C", "x68"), 1, 0.01);  // E is C
  EXPECT_EQ(ours_at(table, "C", "vortex, depth 5"), 1);
  EXPECT_EQ(ours_at(table, "C", "vortex, mean"), 1);
  EXPECT_EQ(ours_at(table, "spread over initial noises", "vortex, depth 10"), 0);
  EXPECT_EQ(ours_at(table, "C", "cost"), 2);
  EXPECT_EQ(cell_at(table, "C", "cost").paper, 2);
  EXPECT_EQ(cell_at(table, "seed step (baseline)", "cost").text, "-");
  EXPECT_EQ(cell_at(table, "seed step (baseline)", "NLL").text, "-");  // never used without depth
  EXPECT_TRUE(cell_at(table, "seed step (baseline)", "NLL, depth").ours);
}

TEST(Signals, NeedC) {
  Measurements measured;
  measured.test = synthetic_table("test", 2, 2, [](int64_t, int64_t) {
    return SyntheticRow{{"E", 1}};
  });
  EXPECT_THAT(error_of([&] { evaluate_signals(measured); }),
              testing::HasSubstr("signals: expected column C"));
}

}  // namespace
}  // namespace roundtrip
