#include "roundtrip/stats/curve_grid.h"

#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

TEST(CurveGrid, ArrangesRowsInAnyOrder) {
  const std::vector<int64_t> trajectory = {9, 2, 9, 2}, depth = {1, 5, 5, 1};
  const CurveGrid grid = arrange(trajectory, depth, std::vector<double>{91, 25, 95, 21});
  EXPECT_EQ(grid.trajectories, (std::vector<int64_t>{2, 9}));
  EXPECT_EQ(grid.depths, (std::vector<int64_t>{1, 5}));
  EXPECT_EQ(grid.values, (std::vector<double>{21, 25, 91, 95}));
}

TEST(CurveGrid, RefusesHolesAndRepetitions) {
  const std::vector<double> values = {1, 2, 3};
  EXPECT_NE(error_of([&] {
              arrange(std::vector<int64_t>{0, 0, 1}, std::vector<int64_t>{1, 2, 1}, values);
            }).find("trajectory 1: expected one row at each of 2 depths, found 1"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              arrange(std::vector<int64_t>{0, 0, 0}, std::vector<int64_t>{1, 2, 1}, values);
            }).find("trajectory 0"),
            std::string::npos);
}

}  // namespace
}  // namespace roundtrip
