#include "roundtrip/evaluation/held_out_rows.h"

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

HeldOut three_rows() {
  HeldOut rows;
  rows.add(0, 1, 10, {0, 1});
  rows.add(0, 2, 20, {0, 1});
  rows.add(4, 2, 30, {0, 1});
  return rows;
}

TEST(HeldOutRows, AreChosenByTrajectoryOrByDepth) {
  const HeldOut rows = three_rows();
  const auto ranges = rows_by_curve(rows);
  ASSERT_EQ(ranges.size(), 2u);
  const std::vector<size_t> chosen = {1, 0, 1};
  EXPECT_EQ(chosen_curves(rows, ranges, chosen).y, (std::vector<double>{30, 10, 20, 30}));
  EXPECT_EQ(rows_at_depth(rows, 2).y, (std::vector<double>{20, 30}));
  EXPECT_EQ(rows_at_depth(rows, 2).curve, (std::vector<int64_t>{0, 4}));
  EXPECT_EQ(depths_of(rows), (std::vector<int64_t>{1, 2}));
}

}  // namespace
}  // namespace roundtrip
