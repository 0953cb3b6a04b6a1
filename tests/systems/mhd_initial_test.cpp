#include "roundtrip/systems/mhd_initial.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "roundtrip/base/error.h"
#include "tests/systems/square_grid.h"

namespace roundtrip {
namespace {

constexpr double kGamma = 5.0 / 3;

MhdState make(const MhdInitialConfig& config, int64_t n, int64_t index = 0, int64_t attempt = 0) {
  return make_mhd_initial(config, kGamma, square(n), {11, "train", index}, attempt);
}

double mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum / static_cast<double>(values.size());
}

double rms_field(const MhdState& state) {
  return std::sqrt(mean_square(state.face_field_x) + mean_square(state.face_field_y));
}
double rms_velocity(const MhdState& state) {
  return std::sqrt(mean_square(state.velocity_x) + mean_square(state.velocity_y));
}

TEST(MhdInitial, OrszagTangHasItsTextbookValues) {
  const int64_t n = 32;
  const MhdState state = make({.kind = "orszag_tang"}, n);
  const double strength = 1 / std::sqrt(4 * kPi);
  // A face average of sin is the sine at its middle times sin(h)/h, h half the phase of a cell.
  const auto shrink = [](double h) { return std::sin(h) / h; };
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      const double x = (i + 0.5) / n, y = (j + 0.5) / n;
      const size_t c = static_cast<size_t>(i * n + j);
      ASSERT_NEAR(state.density[c], 25 / (36 * kPi), 1e-15);
      ASSERT_NEAR(state.gas_pressure[c], 5 / (12 * kPi), 1e-15);
      ASSERT_NEAR(state.velocity_x[c], -std::sin(2 * kPi * y), 1e-14);
      ASSERT_NEAR(state.velocity_y[c], std::sin(2 * kPi * x), 1e-14);
      ASSERT_NEAR(state.face_field_x[c], -strength * std::sin(2 * kPi * y) * shrink(kPi / n),
                  1e-13);
      ASSERT_NEAR(state.face_field_y[c], strength * std::sin(4 * kPi * x) * shrink(2 * kPi / n),
                  1e-13);
    }
  }
}

TEST(MhdInitial, PotentialAtCentersShiftsTheFieldByHalfACell) {
  const int64_t n = 32;
  const MhdState node = make({.kind = "orszag_tang"}, 2 * n);
  const MhdState center = make({.kind = "orszag_tang", .vector_potential = "center"}, n);
  // By of the centre variant belongs to x = i/n: the mean of the fine grid's two cells around it.
  for (int64_t i = 1; i < n; ++i) {
    const double around =
        (node.face_field_y[(2 * i - 1) * 2 * n] + node.face_field_y[2 * i * 2 * n]) / 2;
    ASSERT_NEAR(center.face_field_y[i * n], around, 1e-13);
  }
}

TEST(MhdInitial, EveryKindIsFreeOfDivergenceAndPositive) {
  for (const std::string& kind : mhd_initial_kinds()) {
    for (int64_t index = 0; index < 5; ++index) {
      const MhdState state = make({.kind = kind}, 64, index);
      const MhdSolver solver(square(64), {}, state);
      EXPECT_LT(solver.largest_divergence(), 1e-13) << kind;
      EXPECT_EQ(solver.floor_hits(), 0) << kind;
    }
  }
}

TEST(MhdInitial, SameKeySameBitsOtherKeyOtherState) {
  for (const std::string& kind : mhd_initial_kinds()) {
    const MhdState a = make({.kind = kind}, 32), b = make({.kind = kind}, 32);
    EXPECT_EQ(a.density, b.density);
    EXPECT_EQ(a.velocity_y, b.velocity_y);
    EXPECT_EQ(a.gas_pressure, b.gas_pressure);
    EXPECT_EQ(a.face_field_x, b.face_field_x);
    const auto differs = [&](const MhdState& other) {
      return a.velocity_y != other.velocity_y || a.gas_pressure != other.gas_pressure;
    };
    EXPECT_EQ(differs(make({.kind = kind}, 32, /*index=*/1)), mhd_initial_is_random(kind)) << kind;
    EXPECT_EQ(differs(make({.kind = kind}, 32, 0, /*attempt=*/1)), mhd_initial_is_random(kind));
  }
}

// What has been drawn of one amplitude.
struct Drawn {
  double low = 1e9, high = 0;

  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
};

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The drawn amplitudes are of the continuous fields: a grid sees them up to its own resolution.
// Forty uniform draws all miss an outer sixth of their range once in 1500 tests.
TEST(MhdInitial, RandomAmplitudesFillTheirBounds) {
  Drawn field, speed;
  for (int64_t index = 0; index < 40; ++index) {
    const MhdState state = make({}, 64, index);
    field.add(rms_field(state)), speed.add(rms_velocity(state));
  }
  EXPECT_GT(field.low, 0.07 * 0.98);  // the curl loses O(dx^2)
  EXPECT_LT(field.low, 0.0817);
  EXPECT_GT(field.high, 0.1283);
  EXPECT_LT(field.high, 0.14);
  EXPECT_GT(speed.low, 0.4 * (1 - 1e-12));
  EXPECT_LT(speed.low, 0.467);
  EXPECT_GT(speed.high, 0.733);
  EXPECT_LT(speed.high, 0.8 * (1 + 1e-12));
}

// Without contrast a state's density and pressure are the drawn means themselves. Log-uniform: an
// outer sixth of the range of logarithms, here a factor 2^(1/6).
TEST(MhdInitial, RandomMeansFillTheirBounds) {
  Drawn density, pressure;
  for (int64_t index = 0; index < 40; ++index) {
    const MhdState state = make({.density_contrast = 0, .pressure_contrast = 0}, 8, index);
    density.add(state.density[0]), pressure.add(state.gas_pressure[0]);
  }
  const double sixth = std::pow(2.0, 1.0 / 6);
  EXPECT_GE(density.low, 0.5);
  EXPECT_LT(density.low, 0.5 * sixth);
  EXPECT_GT(density.high, 1 / sixth);
  EXPECT_LE(density.high, 1.0);
  EXPECT_GE(pressure.low, 0.6);
  EXPECT_LT(pressure.low, 0.6 * sixth);
  EXPECT_GT(pressure.high, 1.2 / sixth);
  EXPECT_LE(pressure.high, 1.2);
}

TEST(MhdInitial, RandomDensityKeepsItsFloorAndMean) {
  for (int64_t index = 0; index < 10; ++index) {
    const MhdState state = make({.density_min = 2, .density_max = 2}, 64, index);
    const auto [low, high] = std::minmax_element(state.density.begin(), state.density.end());
    EXPECT_GE(*low, 0.3 * 2 * (1 - 1e-12));
    EXPECT_LT(*high, 3 * 2);
    // Waves have no mean; the floor adds what lies more than 0.7 / 0.3 standard deviations down.
    EXPECT_NEAR(mean(state.density), 2, 0.02);
  }
}

TEST(MhdInitial, RandomFieldStrengthIsExactInTheLimit) {
  // Fixed strength; the discrete curl loses O(dx^2) of it.
  const MhdInitialConfig config{.field_min = 0.25, .field_max = 0.25};
  const double coarse = 0.25 - rms_field(make(config, 128)),
               fine = 0.25 - rms_field(make(config, 256));
  EXPECT_LT(fine, 2e-4);
  EXPECT_NEAR(coarse / fine, 4, 0.1);
}

TEST(MhdInitial, OneKeyIsOneFlowAtEveryResolution) {
  const MhdState coarse = make({}, 64), fine = make({}, 192);
  for (int64_t i = 0; i < 64; ++i) {
    for (int64_t j = 0; j < 64; ++j) {
      const size_t c = static_cast<size_t>(i * 64 + j);
      const size_t f = static_cast<size_t>((3 * i + 1) * 192 + 3 * j + 1);  // the same centre
      ASSERT_NEAR(coarse.density[c], fine.density[f], 1e-13);
      ASSERT_NEAR(coarse.velocity_x[c], fine.velocity_x[f], 1e-13);
    }
  }
}

// A jump leaves a third difference of its own size, a smooth function one of order (dy / 0.08)^3.
TEST(MhdInitial, KelvinHelmholtzIsSmoothAcrossTheSeam) {
  const int64_t n = 512;
  const MhdState state = make({.kind = "kelvin_helmholtz"}, n);
  double seam = 0, inside = 0;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      const auto v = [&](int64_t k) { return state.velocity_y[i * n + (j + k) % n]; };
      const double third = std::abs(v(3) - 3 * v(2) + 3 * v(1) - v(0));
      double& largest = j + 3 >= n ? seam : inside;
      largest = std::max(largest, third);
    }
  }
  EXPECT_GT(inside, 0);
  EXPECT_LT(seam, inside);
}

TEST(MhdInitial, ScalesMultiplyFieldAndVelocity) {
  for (const std::string& kind : mhd_initial_kinds()) {
    const MhdState once = make({.kind = kind}, 32);
    const MhdState scaled = make({.kind = kind, .field_scale = 2, .velocity_scale = 3}, 32);
    for (size_t c = 0; c < once.density.size(); ++c) {
      ASSERT_EQ(scaled.face_field_x[c], 2 * once.face_field_x[c]);
      ASSERT_EQ(scaled.velocity_y[c], 3 * once.velocity_y[c]);
      ASSERT_EQ(scaled.density[c], once.density[c]);
    }
  }
}

TEST(MhdInitial, UnknownKindNamesTheKnownOnes) {
  try {
    make({.kind = "orzag_tang"}, 8);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("orszag_tang"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace roundtrip
