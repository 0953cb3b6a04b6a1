#include "roundtrip/evaluation/growth.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// Every trajectory grows by the same ratio, so the mean does.
Measurements growing_measurements(int64_t depths) {
  Measurements measured;
  measured.system = "navier_stokes";
  measured.test = synthetic_table("test", 3, depths, [](int64_t t, int64_t d) {
    const double steps = static_cast<double>(d - 1);
    return SyntheticRow{{"E", static_cast<double>(t + 1) * std::pow(1.44, steps)},
                        {"E_vorticity", 0.5 * std::pow(1.21, steps)}};
  });
  return measured;
}

TEST(Growth, IsTheRatioOfAGeometricSeries) {
  const auto sections = beside_paper(evaluate_growth, growing_measurements(6));
  check_sections(sections);
  const TableSection& table = table_called(sections, "Growth of the mean error");
  EXPECT_NEAR(ours_at(table, "E", "r"), 1.44, 1e-12);
  EXPECT_NEAR(ours_at(table, "E", "e_1"), 2, 1e-12);
  EXPECT_NEAR(ours_at(table, "E", "r of the root"), 1.2, 1e-12);
  EXPECT_NEAR(ours_at(table, "E", "largest misfit"), 0, 1e-12);
  // Resampling changes the level alone.
  EXPECT_NEAR(cell_at(table, "E", "r").interval->high, 1.44, 1e-12);
  EXPECT_GT(cell_at(table, "E", "e_1").interval->high, 2.1);
  EXPECT_NEAR(ours_at(table, "E_vorticity", "r of the root"), 1.1, 1e-12);
  EXPECT_EQ(cell_at(table, "E_vorticity", "r of the root").paper, 1.21);
  EXPECT_FALSE(cell_at(table, "E", "r of the root").paper);
}

TEST(Growth, NeedsTwoDepths) {
  EXPECT_THAT(error_of([] { evaluate_growth(growing_measurements(1)); }),
              testing::HasSubstr("two depths"));
}

}  // namespace
}  // namespace roundtrip
