#include "roundtrip/evaluation/train_ratio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// Test errors are 1 + depth times those of the training, which are 1.
Measurements gap_measurements() {
  Measurements measured;
  measured.system = "navier_stokes";
  measured.test = synthetic_table("test", 4, 10, [](int64_t, int64_t d) {
    return SyntheticRow{{"E", static_cast<double>(1 + d)}};
  });
  measured.train = synthetic_table("train", 6, 10, [](int64_t, int64_t) {
    return SyntheticRow{{"E", 1}};
  });
  return measured;
}

TEST(TrainRatio, IsThatOfTheMeans) {
  const auto sections = beside_paper(evaluate_train_ratio, gap_measurements());
  check_sections(sections);
  const TableSection& table = std::get<TableSection>(sections[0]);
  EXPECT_DOUBLE_EQ(ours_at(table, "4", "ratio"), 5);
  EXPECT_DOUBLE_EQ(cell_at(table, "4", "ratio").interval->low, 5);
  EXPECT_EQ(cell_at(table, "10", "ratio").paper, 6.3);
  EXPECT_DOUBLE_EQ(ours_at(table, "all depths", "ratio"), 6.5);
  EXPECT_EQ(cell_at(table, "all depths", "ratio").paper, 4.8);
}

TEST(TrainRatio, NeedsTrainingRollouts) {
  Measurements measured = gap_measurements();
  measured.train.reset();
  EXPECT_THAT(error_of([&] { evaluate_train_ratio(measured); }), testing::HasSubstr("train.csv"));
}

}  // namespace
}  // namespace roundtrip
