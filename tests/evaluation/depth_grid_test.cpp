#include "roundtrip/evaluation/depth_grid.h"

#include <cmath>

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

using Depths = std::vector<int64_t>;

// E = 10 trajectory + depth; x exists from depth 2 on, and one rollout diverges at depth 4.
CurveTable gappy_table() {
  return synthetic_table("test", 2, 4, [](int64_t t, int64_t d) {
    const bool diverged = t == 1 && d == 4;
    return SyntheticRow{{"E", static_cast<double>(10 * t + d)},
                        {"x", d < 2 || diverged ? std::nan("") : 1.0}};
  });
}

TEST(DepthGrid, LeavesOutDepthsThatAColumnDoesNotHave) {
  const CurveTable table = gappy_table();
  EXPECT_EQ(shared_depths(table, {"E"}), (Depths{1, 2, 3, 4}));
  EXPECT_EQ(shared_depths(table, {"E", "x"}), (Depths{2, 3, 4}));
  EXPECT_EQ(finite_depths(table, {"E", "x"}), (Depths{2, 3}));
  EXPECT_TRUE(shared_depths(table, {"nothing"}).empty());
}

TEST(DepthGrid, KeepsTheDepthsOfAllTrajectories) {
  CurveTable table = gappy_table();
  table.curves[0].depths = {1, 3, 5, 7};
  EXPECT_EQ(shared_depths(table, {"E"}), (Depths{1, 3}));
  EXPECT_EQ(grid_of(table, "E", {3}).values, (std::vector<double>{2, 13}));
}

TEST(DepthGrid, ARolloutThatDivergedIsHigherThanAll) {
  const CurveGrid grid = grid_of(gappy_table(), "x", {2, 4});
  EXPECT_EQ(depth_column(grid, 1), (std::vector<double>{1, INFINITY}));
  EXPECT_EQ(log_of(grid).values[0], 0);
}

TEST(DepthGrid, TrajectoriesAreChosenWhole) {
  const CurveGrid grid = grid_of(gappy_table(), "E", {1, 2});
  const std::vector<size_t> chosen = {1, 1, 0};
  const CurveGrid some = chosen_trajectories(grid, chosen);
  EXPECT_EQ(some.values, (std::vector<double>{11, 12, 11, 12, 1, 2}));
  EXPECT_EQ(some.trajectories, (std::vector<int64_t>{0, 1, 2}));
}

TEST(DepthGrid, NearestDepthsAreThereAndOnce) {
  EXPECT_EQ(nearest_depths({1, 2, 4, 8}, {5, 10, 20}), (Depths{4, 8}));
  EXPECT_EQ(nearest_depths({4, 6}, {5}), (Depths{6}));
  EXPECT_TRUE(nearest_depths({}, {5}).empty());
}

}  // namespace
}  // namespace roundtrip
