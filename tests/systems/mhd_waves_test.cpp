// Linear waves carried once through a periodic box come back to where they were; what differs is
// the error of the scheme.
#include <cmath>
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "roundtrip/systems/mhd_solver.h"
#include "tests/systems/square_grid.h"

namespace roundtrip {
namespace {

// Exact eigenvectors of the linearised equations about rho = 1, p_gas = 1/gamma (sound speed 1),
// at rest, for a wave along the unit vector n; t is n turned by 90 degrees. With only in-plane
// components an Alfven wave is the shear wave along the field.
struct Wave {
  std::string name;
  double field_n, field_t;  // background field along n and t
  double speed;
  double density, velocity_n, velocity_t, pressure, amplitude_t;  // of the cosine; last: B_t
};

Wave magnetosonic(const std::string& name, double sign) {
  const double bn = 0.6, bt = 0.8, a2 = 1, b2 = bn * bn + bt * bt;
  const double c2 = 0.5 * (a2 + b2 + sign * std::sqrt((a2 + b2) * (a2 + b2) - 4 * a2 * bn * bn));
  const double c = std::sqrt(c2), along = bt * c2 / (c2 - bn * bn);
  return {name, bn, bt, c, 1, c, -bn * along / c, 1, along};
}

Wave alfven() { return {"alfven", 0.7, 0, 0.7, 0, 0, 1, 0, -1}; }

enum class Direction { kX, kY, kDiagonal };

// L1 error over all six fields, relative to the amplitude, after exactly one period.
double error_after_one_period(const Wave& wave, Direction direction, int64_t n, bool limiter) {
  constexpr double kAmplitude = 1e-6;
  const double dx = 1.0 / static_cast<double>(n);
  const bool diagonal = direction == Direction::kDiagonal;
  const MhdGrid grid{direction == Direction::kY ? 4 : n, direction == Direction::kX ? 4 : n, dx};
  const double kx = direction == Direction::kY ? 0 : 2 * kPi;
  const double ky = direction == Direction::kX ? 0 : 2 * kPi;
  const double k = std::hypot(kx, ky), nx = kx / k, ny = ky / k;
  // B = (dA/dy, -dA/dx) of A = f(n.x) is -f' along t, so A carries minus the integral of B_t.
  const auto potential = [&](double x, double y) {
    return -kAmplitude * wave.amplitude_t / k * std::sin(kx * x + ky * y);
  };
  MhdState start;
  for (int64_t i = 0; i < grid.nx; ++i) {
    for (int64_t j = 0; j < grid.ny; ++j) {
      const double x = (i + 0.5) * dx, y = (j + 0.5) * dx;
      const double c = kAmplitude * std::cos(kx * x + ky * y);
      start.density.push_back(1 + c * wave.density);
      start.gas_pressure.push_back(0.6 + c * wave.pressure);  // gamma p = 1
      start.velocity_x.push_back(c * (wave.velocity_n * nx - wave.velocity_t * ny));
      start.velocity_y.push_back(c * (wave.velocity_n * ny + wave.velocity_t * nx));
      const double x1 = x + dx / 2, y1 = y + dx / 2;
      const double here = potential(x1, y1);
      start.face_field_x.push_back(wave.field_n * nx - wave.field_t * ny +
                                   (here - potential(x1, y1 - dx)) / dx);
      start.face_field_y.push_back(wave.field_n * ny + wave.field_t * nx -
                                   (here - potential(x1 - dx, y1)) / dx);
    }
  }
  MhdScheme scheme;
  scheme.limiter = limiter;
  MhdSolver solver(grid, scheme, start);
  const MhdFields before = solver.fields();
  EXPECT_TRUE(solver.advance_to((diagonal ? std::sqrt(0.5) : 1.0) / wave.speed));
  const MhdFields after = solver.fields();
  double sum = 0;
  for (const auto field : {&MhdFields::density, &MhdFields::total_pressure, &MhdFields::velocity_x,
                           &MhdFields::velocity_y, &MhdFields::field_x, &MhdFields::field_y}) {
    for (int64_t c = 0; c < grid.cells(); ++c) {
      sum += std::abs((after.*field)[c] - (before.*field)[c]);
    }
  }
  return sum / static_cast<double>(grid.cells()) / kAmplitude;
}

void expect_second_order(Direction direction) {
  for (const Wave& wave : {alfven(), magnetosonic("fast", 1), magnetosonic("slow", -1)}) {
    for (const bool limiter : {false, true}) {
      double errors[3];
      for (int level = 0; level < 3; ++level) {
        errors[level] = error_after_one_period(wave, direction, 32 << level, limiter);
      }
      const double coarse = std::log2(errors[0] / errors[1]);
      const double fine = std::log2(errors[1] / errors[2]);
      const std::string label = wave.name + (limiter ? " limited" : "");
      std::printf("%-14s errors %.2e %.2e %.2e, order %.3f %.3f\n", label.c_str(), errors[0],
                  errors[1], errors[2], coarse, fine);
      testing::Test::RecordProperty(label + " order", std::to_string(fine));
      if (limiter) {
        EXPECT_GT(fine, 1.5) << label;  // minmod flattens the crests
      } else {
        EXPECT_GT(coarse, 1.9) << label;
        EXPECT_GT(fine, 1.9) << label;
        EXPECT_LT(errors[2], 0.01) << label;
      }
    }
  }
}

TEST(MhdWaves, ConvergeAtSecondOrderAlongX) { expect_second_order(Direction::kX); }
TEST(MhdWaves, ConvergeAtSecondOrderAlongY) { expect_second_order(Direction::kY); }
TEST(MhdWaves, ConvergeAtSecondOrderObliquely) { expect_second_order(Direction::kDiagonal); }

}  // namespace
}  // namespace roundtrip
