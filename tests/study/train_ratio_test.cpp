#include "roundtrip/study/train_ratio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// Test errors are 1 + depth times those of the training, which are 1.
Evidence gap_evidence() {
  Evidence evidence;
  evidence.system = "navier_stokes";
  evidence.test = synthetic_table("test", 4, 10, [](int64_t, int64_t d) {
    return SyntheticRow{{"E", static_cast<double>(1 + d)}};
  });
  evidence.train = synthetic_table("train", 6, 10, [](int64_t, int64_t) {
    return SyntheticRow{{"E", 1}};
  });
  return evidence;
}

TEST(TrainRatio, IsThatOfTheMeans) {
  const auto sections = study_train_ratio(gap_evidence());
  check_sections(sections);
  const TableSection& table = std::get<TableSection>(sections[0]);
  EXPECT_DOUBLE_EQ(ours_at(table, "4", "ratio"), 5);
  EXPECT_DOUBLE_EQ(cell_at(table, "4", "ratio").interval->low, 5);
  EXPECT_EQ(cell_at(table, "10", "ratio").paper, 6.3);
  EXPECT_DOUBLE_EQ(ours_at(table, "all depths", "ratio"), 6.5);
  EXPECT_EQ(cell_at(table, "all depths", "ratio").paper, 4.8);
}

TEST(TrainRatio, NeedsTrainingRollouts) {
  Evidence evidence = gap_evidence();
  evidence.train.reset();
  EXPECT_THAT(error_of([&] { study_train_ratio(evidence); }), testing::HasSubstr("train.csv"));
}

}  // namespace
}  // namespace roundtrip
