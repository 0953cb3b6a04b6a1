#include "roundtrip/evaluation/calibration_table.h"

#include <cmath>

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

TEST(CalibrationTable, RowsAreWhatTheLawSays) {
  const Measurements measured = synthetic_measurements(following_rule);
  const auto sections = beside_paper(evaluate_calibration, measured);
  check_sections(sections);
  const TableSection& table = table_called(sections, "Calibration of log E");
  // Three standard errors of 200 rows; for the gain more, as inputs beyond what the fit has seen
  // are clamped.
  EXPECT_NEAR(ours_at(table, "depth", "RMSE"), deviation_at_depth(), 0.02);
  EXPECT_NEAR(ours_at(table, "C, depth", "RMSE"), deviation_given_c(), 0.015);
  EXPECT_NEAR(ours_at(table, "C, depth", "over depth"),
              std::log(deviation_at_depth() / deviation_given_c()), 0.3);
  EXPECT_EQ(cell_at(table, "C", "NLL").paper, -.62);
  EXPECT_EQ(table.rows.size(), 6u);  // no seed_knn, no seed_codec
}

TEST(CalibrationTable, QuotesThePaperForItsOwnSystemOnly) {
  Measurements measured = synthetic_measurements(following_rule, 5);
  measured.system = "navier_stokes";
  const auto sections = beside_paper(evaluate_calibration, measured);
  EXPECT_FALSE(cell_at(table_called(sections, "Calibration of log E"), "C", "NLL").paper);
}

}  // namespace
}  // namespace roundtrip
