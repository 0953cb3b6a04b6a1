#include "roundtrip/metrics/curve_grid.h"

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

TEST(CurveGrid, ColumnsAndMeansAreOfDepths) {
  const CurveGrid grid{.trajectories = {2, 9}, .depths = {1, 5, 7}, .values = {1, 2, 3, 5, 7, 9}};
  EXPECT_EQ(depth_column(grid, 0), (std::vector<double>{1, 5}));
  EXPECT_EQ(depth_column(grid, 2), (std::vector<double>{3, 9}));
  EXPECT_EQ(depth_means(grid), (std::vector<double>{3, 4.5, 6}));
}

}  // namespace
}  // namespace roundtrip
