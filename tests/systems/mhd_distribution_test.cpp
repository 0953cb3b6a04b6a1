// Where the Orszag-Tang vortex lies relative to the random states models are trained on: outside
// them in plasma beta, both Mach numbers and field strength. The ranges are printed, for
// docs/reference/systems.md.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include <gtest/gtest.h>

#include "roundtrip/systems/mhd_initial.h"
#include "tests/systems/square_grid.h"

namespace roundtrip {
namespace {

constexpr double kIndex = 5.0 / 3;  // gamma

/// Dimensionless numbers of a state from means over the box, and its field strength.
struct PlasmaNumbers {
  double beta;           // 2 <p> / <B^2>
  double sonic_mach;     // rms |v| over sqrt(gamma <p> / <rho>)
  double alfvenic_mach;  // rms |v| over rms |B| / sqrt(<rho>)
  double rms_field;      // |B|
};

double box_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double box_mean_square(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (size_t c = 0; c < x.size(); ++c) sum += x[c] * x[c] + y[c] * y[c];
  return sum / static_cast<double>(x.size());
}

PlasmaNumbers numbers_of(const MhdFields& fields) {
  const double rho = box_mean(fields.density), p = box_mean(fields.gas_pressure);
  const double v2 = box_mean_square(fields.velocity_x, fields.velocity_y);
  const double b2 = box_mean_square(fields.field_x, fields.field_y);
  return {2 * p / b2, std::sqrt(v2 * rho / (kIndex * p)), std::sqrt(v2 * rho / b2), std::sqrt(b2)};
}

PlasmaNumbers initial_numbers(const char* kind, int64_t index) {
  const MhdGrid grid = square(64);
  const MhdState state = make_mhd_initial({.kind = kind}, kIndex, grid, {0, "train", index});
  return numbers_of(MhdSolver(grid, {}, state).fields());
}

struct Range {
  double low = INFINITY, high = -INFINITY;

  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
};

struct NumberRanges {
  Range beta, sonic_mach, alfvenic_mach, rms_field;

  void add(const PlasmaNumbers& numbers) {
    beta.add(numbers.beta), sonic_mach.add(numbers.sonic_mach);
    alfvenic_mach.add(numbers.alfvenic_mach), rms_field.add(numbers.rms_field);
  }
};

void print_row(std::string_view name, const Range& states, const Range& vortex) {
  std::printf("| %.*s | %.3g to %.3g | %.3g to %.3g |\n", static_cast<int>(name.size()),
              name.data(), states.low, states.high, vortex.low, vortex.high);
}

void print_ranges(const char* title, const NumberRanges& states, const NumberRanges& vortex) {
  std::printf("| %s | random states | vortex |\n|---|---|---|\n", title);
  print_row("plasma beta", states.beta, vortex.beta);
  print_row("sonic Mach number", states.sonic_mach, vortex.sonic_mach);
  print_row("Alfvenic Mach number", states.alfvenic_mach, vortex.alfvenic_mach);
  print_row("rms of B", states.rms_field, vortex.rms_field);
}

TEST(MhdDistribution, NumbersOfTheVortexAreTheTextbooks) {
  const PlasmaNumbers vortex = initial_numbers("orszag_tang", 0);
  // The cell means of B lose O(dx^2), 0.4 percent of B^2 at 64 cells.
  EXPECT_NEAR(vortex.beta, 10.0 / 3, 0.02);
  EXPECT_NEAR(vortex.sonic_mach, 1, 1e-12);
  EXPECT_NEAR(vortex.alfvenic_mach, 5.0 / 3, 0.005);
  EXPECT_NEAR(vortex.rms_field, 1 / std::sqrt(4 * kPi), 0.001);
}

TEST(MhdDistribution, TheVortexLiesOutsideTheRandomStates) {
  NumberRanges states, vortex;
  for (int64_t index = 0; index < 500; ++index) states.add(initial_numbers("random", index));
  vortex.add(initial_numbers("orszag_tang", 0));
  print_ranges("at t = 0, 500 random states", states, vortex);
  EXPECT_LT(vortex.beta.low, 0.5 * states.beta.low);
  EXPECT_GT(vortex.sonic_mach.low, 1.1 * states.sonic_mach.high);
  EXPECT_LT(vortex.alfvenic_mach.low, states.alfvenic_mach.low / 1.1);
  EXPECT_GT(vortex.rms_field.low, 1.9 * states.rms_field.high);
}

void add_run(const char* kind, int64_t index, NumberRanges& ranges) {
  const MhdGrid grid = square(64);
  MhdSolver solver(grid, {}, make_mhd_initial({.kind = kind}, kIndex, grid, {0, "train", index}));
  for (int64_t frame = 0; frame < 100; ++frame) {
    ASSERT_TRUE(solver.advance_to(0.01 * static_cast<double>(frame)));
    ranges.add(numbers_of(solver.fields()));
  }
}

// As the vortex slows down its Mach numbers enter the range of the random flows; the strength of
// its field, absolute and relative to the pressure, never does.
TEST(MhdDistribution, TheVortexStaysTheMoreMagnetised) {
  NumberRanges states, vortex;
  for (int64_t index = 0; index < 20; ++index) add_run("random", index, states);
  add_run("orszag_tang", 0, vortex);
  print_ranges("all frames to t = 0.99, 20 random states", states, vortex);
  EXPECT_LT(vortex.beta.high, states.beta.low);
  EXPECT_GT(vortex.rms_field.low, states.rms_field.high);
}

// RMS difference over the standard deviation of `before`.
double relative_change(const std::vector<double>& before, const std::vector<double>& after) {
  const double mean = box_mean(before);
  double square = 0, variance = 0;
  for (size_t c = 0; c < before.size(); ++c) {
    square += (after[c] - before[c]) * (after[c] - before[c]);
    variance += (before[c] - mean) * (before[c] - mean);
  }
  return std::sqrt(square / variance);
}

// Until the end there is something to predict: frames 0.01 apart, of flows of order 1 in structures
// of a few tenths, differ by several percent.
TEST(MhdDistribution, FramesKeepChanging) {
  const int64_t count = 20;
  const std::vector<double> times = {0.0, 0.2, 0.4, 0.6, 0.8, 0.98};
  std::vector<double> density(times.size()), velocity(times.size()), field(times.size());
  for (int64_t index = 0; index < count; ++index) {
    const MhdGrid grid = square(64);
    MhdSolver solver(grid, {}, make_mhd_initial({}, kIndex, grid, {0, "train", index}));
    for (size_t t = 0; t < times.size(); ++t) {
      ASSERT_TRUE(solver.advance_to(times[t]));
      const MhdFields before = solver.fields();
      ASSERT_TRUE(solver.advance_to(times[t] + 0.01));
      const MhdFields after = solver.fields();
      density[t] += relative_change(before.density, after.density) / count;
      velocity[t] += relative_change(before.velocity_x, after.velocity_x) / count;
      field[t] += relative_change(before.field_x, after.field_x) / count;
    }
  }
  for (size_t t = 0; t < times.size(); ++t) {
    std::printf("change over 0.01 at t = %.2f: density %.3f, velocity %.3f, field %.3f\n", times[t],
                density[t], velocity[t], field[t]);
    EXPECT_GT(std::min({density[t], velocity[t], field[t]}), 0.02);
  }
}

}  // namespace
}  // namespace roundtrip
