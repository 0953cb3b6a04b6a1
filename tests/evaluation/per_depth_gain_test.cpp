#include "roundtrip/evaluation/per_depth_gain.h"

#include <cmath>

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

TEST(PerDepthGain, IsTheLogarithmOfTheDeviationsRatio) {
  const auto sections =
      beside_paper(evaluate_per_depth_gain, synthetic_measurements(following_rule));
  check_sections(sections);
  const TableSection& table = table_called(sections, "Gain by depth");
  EXPECT_EQ(table.rows.size(), 6u);
  // The same at every depth; three standard errors of 40 trajectories.
  double sum = 0;
  for (const char* depth : {"1", "2", "3", "4", "5"}) {
    const TableCell& cell = cell_at(table, depth, "C, depth over depth");
    EXPECT_NEAR(*cell.ours, std::log(deviation_at_depth() / deviation_given_c()), 0.35) << depth;
    EXPECT_GT(cell.interval->low, 0) << depth;
    sum += *cell.ours;
  }
  // As many rows at each depth: the mean of the gains is the gain of all.
  EXPECT_NEAR(ours_at(table, "all depths", "C, depth over depth"), sum / 5, 1e-12);
  EXPECT_EQ(cell_at(table, "all depths", "C over depth").paper, 1.0);
}

}  // namespace
}  // namespace roundtrip
