#include "roundtrip/systems/mhd_average.h"

#include <cmath>

#include <gtest/gtest.h>

#include "roundtrip/base/error.h"
#include "roundtrip/systems/mhd_initial.h"
#include "tests/systems/square_grid.h"

namespace roundtrip {
namespace {

constexpr double kAdiabatic = 5.0 / 3;

// A flow with steep gradients within a coarse cell.
struct DevelopedFlow {
  explicit DevelopedFlow(int64_t n)
      : solver(square(n), {}, make_mhd_initial({}, kAdiabatic, square(n), {2, "train", 0})) {
    EXPECT_TRUE(solver.advance_to(0.2));
  }

  MhdSolver solver;
};

MhdTotals totals_of(const MhdFields& fields) {
  MhdTotals sum;
  const auto cells = static_cast<double>(fields.density.size());
  for (size_t c = 0; c < fields.density.size(); ++c) {
    const double rho = fields.density[c], vx = fields.velocity_x[c], vy = fields.velocity_y[c];
    const double bx = fields.field_x[c], by = fields.field_y[c];
    sum.mass += rho / cells;
    sum.momentum_x += rho * vx / cells, sum.momentum_y += rho * vy / cells;
    sum.energy += (fields.gas_pressure[c] / (kAdiabatic - 1) +
                   0.5 * (rho * (vx * vx + vy * vy) + bx * bx + by * by)) /
                  cells;
  }
  return sum;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

TEST(MhdAverage, KeepsMassMomentumEnergyAndFlux) {
  const DevelopedFlow flow(48);
  const MhdTotals fine = flow.solver.totals();
  for (const int64_t factor : {2, 3, 8, 48}) {
    const MhdFields mean = average_cells(flow.solver.fields(), square(48), factor, kAdiabatic);
    ASSERT_EQ(mean.density.size(), static_cast<size_t>(48 / factor * 48 / factor));
    const MhdTotals coarse = totals_of(mean);
    // Sums of 2304 terms of order 1.
    EXPECT_NEAR(coarse.mass, fine.mass, 1e-13);
    EXPECT_NEAR(coarse.momentum_x, fine.momentum_x, 1e-13);
    EXPECT_NEAR(coarse.momentum_y, fine.momentum_y, 1e-13);
    EXPECT_NEAR(coarse.energy, fine.energy, 1e-13);
    EXPECT_NEAR(mean_of(mean.field_x), mean_of(flow.solver.fields().field_x), 1e-15);
    EXPECT_NEAR(mean_of(mean.field_y), mean_of(flow.solver.fields().field_y), 1e-15);
  }
}

TEST(MhdAverage, TotalPressureIsGasAndMeanField) {
  const DevelopedFlow flow(32);
  const MhdFields mean = average_cells(flow.solver.fields(), square(32), 4, kAdiabatic);
  for (size_t c = 0; c < mean.density.size(); ++c) {
    const double bx = mean.field_x[c], by = mean.field_y[c];
    ASSERT_NEAR(mean.total_pressure[c], mean.gas_pressure[c] + 0.5 * (bx * bx + by * by), 1e-15);
  }
}

// Two streams that pass each other within one wide cell: it stands still, and their kinetic and
// magnetic energies of 1/2 rho v^2 + 1/2 B^2 have become pressure.
TEST(MhdAverage, UnresolvedMotionAndFieldBecomeHeat) {
  const std::vector<double> streams = {3, 3, -3, -3}, fields = {1, -1, 1, -1};
  const MhdFields fine{.density = {2, 2, 2, 2},
                       .total_pressure = {5.5, 5.5, 5.5, 5.5},
                       .gas_pressure = {5, 5, 5, 5},
                       .velocity_x = {0, 0, 0, 0},
                       .velocity_y = streams,
                       .field_x = fields,
                       .field_y = {0, 0, 0, 0}};
  const MhdFields mean = average_cells(fine, {2, 2, 0.5}, 2, kAdiabatic);
  EXPECT_EQ(mean.density, std::vector<double>{2});
  EXPECT_EQ(mean.velocity_y, std::vector<double>{0});
  EXPECT_EQ(mean.field_x, std::vector<double>{0});
  EXPECT_NEAR(mean.gas_pressure[0], 5 + (kAdiabatic - 1) * (0.5 * 2 * 9 + 0.5 * 1), 1e-14);
  EXPECT_EQ(mean.total_pressure, mean.gas_pressure);
}

TEST(MhdAverage, VelocityIsWeightedByMass) {
  const MhdFields fine{.density = {3, 1, 3, 1},
                       .total_pressure = {1, 1, 1, 1},
                       .gas_pressure = {1, 1, 1, 1},
                       .velocity_x = {1, 5, 1, 5},
                       .velocity_y = {0, 0, 0, 0},
                       .field_x = {0, 0, 0, 0},
                       .field_y = {0, 0, 0, 0}};
  EXPECT_EQ(average_cells(fine, {2, 2, 0.5}, 2, kAdiabatic).velocity_x, std::vector<double>{2});
}

TEST(MhdAverage, AGridThatDoesNotDivideIsOurMistake) {
  const DevelopedFlow flow(16);
  EXPECT_THROW(average_cells(flow.solver.fields(), square(16), 3, kAdiabatic), Bug);
}

}  // namespace
}  // namespace roundtrip
