#include "roundtrip/calibration/trajectory_units.h"

#include <cmath>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

TEST(TrajectoryUnits, FoldsHoldWholeTrajectories) {
  EXPECT_EQ(trajectory_folds({7, 7, 9, 12, 12, 13}, 3), (std::vector<int64_t>{0, 0, 1, 2, 2, 0}));
  EXPECT_EQ(count_trajectories({7, 7, 9, 12, 12, 13}), 4);
  EXPECT_EQ(count_trajectories({}), 0);
}

TEST(TrajectoryUnits, RowsOfOneTrajectoryCountOnce) {
  // Three trajectories of equal rows: as good as three numbers.
  const ClusteredMean clustered = clustered_mean({1, 1, 2, 2, 6, 6}, {0, 0, 1, 1, 2, 2});
  EXPECT_DOUBLE_EQ(clustered.mean, 3);
  EXPECT_DOUBLE_EQ(clustered.standard_error, std::sqrt((4.0 + 1 + 9) / 2 / 3));
  EXPECT_TRUE(std::isinf(clustered_mean({1, 2}, {0, 0}).standard_error));
}

}  // namespace
}  // namespace roundtrip
