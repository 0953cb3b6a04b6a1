#include "roundtrip/systems/radiative_layer.h"

#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/threads.h"

namespace roundtrip {
namespace {

using Frames = std::vector<std::vector<float>>;

Frames solved(const System& system, const TrajectoryKey& key) {
  Frames frames;
  system.solve(key, [&](int64_t frame, std::span<const float> values) {
    frames.resize(frame);
    frames.emplace_back(values.begin(), values.end());
  });
  return frames;
}

std::unique_ptr<System> short_run(std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.begin(), {"resolution=16", "frames=4", "end_time=6"});
  return make_radiative_layer("small", overrides);
}

RandomStream noise() { return draws_for({1, "train", 0}, "radiative_layer.noise"); }

// All as the published files but the lower end, which is a wall (docs/reference/systems.md gives
// the reason).
TEST(RadiativeLayer, LayoutIsTheWellsButForTheLowerEnd) {
  const auto system = make_radiative_layer("paper", {});
  ASSERT_EQ(system->groups(), 9);
  const DatasetLayout layout = system->layout(2);
  EXPECT_EQ(layout.dataset_name, "turbulent_radiative_layer_2D");
  EXPECT_EQ(layout.file_stem, "turbulent_radiative_layer_tcool_0.10");
  EXPECT_EQ(system->layout(8).file_stem, "turbulent_radiative_layer_tcool_3.16");
  EXPECT_EQ(system->layout(6).file_stem, "turbulent_radiative_layer_tcool_1.00");
  EXPECT_THAT(layout.parameters, testing::ElementsAre(testing::Pair("tcool", 0.10)));
  EXPECT_EQ(layout.channels(), 4);
  EXPECT_EQ(layout.fields[2].name, "velocity");
  EXPECT_EQ(layout.frame_size(), 4 * 128 * 384);
  EXPECT_EQ(layout.axes[0].boundary, "PERIODIC");
  EXPECT_EQ(layout.axes[1].boundary, "OPEN");
  EXPECT_EQ(layout.axes[1].lower_boundary, "WALL");
  EXPECT_EQ(
      make_radiative_layer("paper", {"lower_boundary=open"})->layout(2).axes[1].lower_boundary, "");
  EXPECT_DOUBLE_EQ(layout.axes[0].coordinates.front(), -0.5 + 0.5 / 128);
  EXPECT_DOUBLE_EQ(layout.axes[1].coordinates.front(), -1 + 0.5 / 128);
  EXPECT_DOUBLE_EQ(layout.axes[1].coordinates.back(), 2 - 0.5 / 128);
  ASSERT_EQ(layout.times.size(), 101u);
  EXPECT_NEAR(layout.times[1], 1.597033, 1e-12);
  EXPECT_DOUBLE_EQ(layout.times[100], 159.7033);
  EXPECT_EQ(make_radiative_layer("small", {})->layout(0).frame_size(), 4 * 32 * 96);
}

TEST(RadiativeLayer, FirstFrameIsTwoPhasesAtPressureOne) {
  const Frames frames = solved(*short_run(), {1, "train", 0});
  ASSERT_EQ(frames.size(), 4u);
  const int64_t nx = 16, ny = 48, plane = nx * ny;
  const auto at = [&](int64_t field, int64_t i, int64_t j) {
    return frames[0][field * plane + i * ny + j];
  };
  for (int64_t i = 0; i < nx; ++i) {
    EXPECT_FLOAT_EQ(at(0, i, 0), 100);
    EXPECT_FLOAT_EQ(at(0, i, ny - 1), 1);
    EXPECT_FLOAT_EQ(at(2, i, 0), -0.04);
    EXPECT_FLOAT_EQ(at(2, i, ny - 1), 0.04);
    for (int64_t j = 0; j < ny; ++j) EXPECT_FLOAT_EQ(at(1, i, j), 1);
  }
  EXPECT_NE(at(3, 0, 15), at(3, 5, 15));  // ripples at the interface, j = 16 being y = 0
}

TEST(RadiativeLayer, SameKeySameBitsOnAnyThread) {
  const auto system = short_run();
  std::vector<Frames> runs(4);
  parallel_for(4, 2, [&](int64_t k) { runs[k] = solved(*system, {5, "train", k % 2}); });
  EXPECT_EQ(runs[0], runs[2]);
  EXPECT_EQ(runs[1], runs[3]);
  EXPECT_NE(runs[0], runs[1]);
  EXPECT_NE(runs[0], solved(*system, {6, "train", 0}));
  EXPECT_NE(runs[0], solved(*system, {5, "valid", 0}));
}

TEST(RadiativeLayer, WithoutNoiseNothingVariesAlongX) {
  RadiativeLayerConfig config;
  config.resolution = 16;
  config.perturbation = 0;
  RadiativeLayer layer(config, 0, noise());
  layer.advance(5);
  for (int64_t i = 1; i < 16; ++i) {
    for (int64_t j = 0; j < 48; ++j) {
      EXPECT_EQ(layer.solver().gas(i, j).density, layer.solver().gas(0, j).density);
      EXPECT_EQ(layer.solver().gas(i, j).velocity_y, layer.solver().gas(0, j).velocity_y);
    }
  }
  EXPECT_GT(layer.radiated(), 0.01);  // the transition itself cools
}

TEST(RadiativeLayer, AdiabaticLayerWithoutNoiseIsAnEquilibrium) {
  RadiativeLayerConfig config;
  config.resolution = 16;
  config.perturbation = 0;
  config.cooling = false;
  RadiativeLayer layer(config, 0, noise());
  const EulerSolver start = layer.solver();
  layer.advance(10);
  for (int64_t j = 0; j < 48; ++j) {
    // HLLC keeps a contact at rest; a thousand steps of round-off remain.
    EXPECT_NEAR(layer.solver().gas(3, j).density / start.gas(3, j).density, 1, 1e-11);
    EXPECT_NEAR(layer.solver().gas(3, j).pressure, 1, 1e-11);
    EXPECT_NEAR(layer.solver().gas(3, j).velocity_x, start.gas(3, j).velocity_x, 1e-11);
    EXPECT_NEAR(layer.solver().gas(3, j).velocity_y, 0, 1e-11);
  }
}

TEST(RadiativeLayer, BudgetsOfMassAndEnergyClose) {
  for (const char* below : {"open", "wall"}) {
    RadiativeLayerConfig config;
    config.resolution = 16;
    config.lower_boundary = below;
    RadiativeLayer layer(config, 1, noise());
    const EulerInflow before = layer.solver().totals();
    layer.advance(20);
    const EulerInflow after = layer.solver().totals(), in = layer.solver().inflow();
    ASSERT_EQ(layer.solver().repairs().floored, 0);
    EXPECT_GT(in.mass, 0.1);
    EXPECT_GT(layer.radiated(), 0.1);
    // Sums of order 100 over a thousand steps.
    EXPECT_NEAR(after.mass - before.mass, in.mass, 1e-10);
    EXPECT_NEAR(after.momentum_y - before.momentum_y, in.momentum_y, 1e-10);
    EXPECT_NEAR(after.energy - before.energy, in.energy - layer.radiated(), 1e-10);
  }
}

// The largest deviation of density along x in any row: 0 for a flat layer, tens where it rolls up.
double roughness(const EulerSolver& gas) {
  const int64_t nx = gas.config().x.cells, ny = gas.config().y.cells;
  double largest = 0;
  for (int64_t j = 0; j < ny; ++j) {
    double sum = 0, square = 0;
    for (int64_t i = 0; i < nx; ++i) {
      const double rho = gas.gas(i, j).density;
      sum += rho, square += rho * rho;
    }
    const double n = static_cast<double>(nx);
    largest = std::max(largest, square / n - sum / n * (sum / n));
  }
  return std::sqrt(largest);
}

// A layer without noise entrains too, by the diffusion of the scheme; turbulence must do better.
TEST(RadiativeLayer, TurbulenceEntrainsAndStrongerCoolingMore) {
  const auto run = [](int64_t group, double perturbation) {
    RadiativeLayerConfig config;
    config.resolution = 32;
    config.perturbation = perturbation;
    RadiativeLayer layer(config, group, noise());
    layer.advance(20);
    printf("tcool %.2f, noise %.1f: hot gas entrained %.3f, energy radiated %.3f, roughness %.1f\n",
           config.cooling_times[group], perturbation, layer.solver().inflow().mass,
           layer.radiated(), roughness(layer.solver()));
    return layer;
  };
  double entrained = 0, radiated = 0;
  for (const int64_t group : {8, 4, 0}) {
    const RadiativeLayer layer = run(group, 0.1);
    EXPECT_GT(roughness(layer.solver()), 5);
    EXPECT_GT(layer.solver().inflow().mass, 1.2 * entrained);
    EXPECT_GT(layer.radiated(), 1.2 * radiated);
    entrained = layer.solver().inflow().mass;
    radiated = layer.radiated();
    if (group == 8) continue;  // too slow a cooling to tell by then
    EXPECT_GT(entrained, 1.2 * run(group, 0).solver().inflow().mass);
  }
}

TEST(RadiativeLayer, NoiseHasTheDeclaredSizeOnEveryGrid) {
  for (const int64_t n : {16, 24, 32, 64, 128}) {
    for (int64_t index = 0; index < 5; ++index) {
      RadiativeLayerConfig config;
      config.resolution = n;
      const RadiativeLayer layer(config, 0, draws_for({3, "train", index}, "noise"));
      for (const int64_t j : {n - 1, n}) {  // the rows on both sides of y = 0
        double square = 0;
        for (int64_t i = 0; i < n; ++i) {
          const double vy = layer.solver().gas(i, j).velocity_y;
          square += vy * vy / static_cast<double>(n);
        }
        EXPECT_NEAR(std::sqrt(square) / config.shear_velocity, 0.1, 0.02) << n << " cells";
      }
    }
  }
}

// Mean over x of the density in 48 bands of y.
std::vector<double> profile(int64_t resolution) {
  RadiativeLayerConfig config;
  config.resolution = resolution;
  config.limiter = false;
  config.perturbation = 0;
  config.density_contrast = 4;
  config.thickness = 0.2;
  config.cooling_width = 1;
  config.cooling_times = {0.2};
  RadiativeLayer layer(config, 0, noise());
  layer.advance(0.4);
  const int64_t per_band = 3 * resolution / 48;
  std::vector<double> bands(48);
  for (int64_t j = 0; j < 3 * resolution; ++j) {
    bands[j / per_band] += layer.solver().gas(0, j).density / static_cast<double>(per_band);
  }
  return bands;
}

TEST(RadiativeLayer, SplittingIsSecondOrder) {
  std::vector<std::vector<double>> profiles;
  for (const int64_t n : {16, 32, 64}) profiles.push_back(profile(n));
  std::vector<double> change(2);
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 48; ++j) change[k] += std::abs(profiles[k + 1][j] - profiles[k][j]) / 48;
  }
  const double order = std::log2(change[0] / change[1]);
  printf("cooling layer, change at each doubling: %.2e %.2e, order %.2f\n", change[0], change[1],
         order);
  EXPECT_GT(order, 1.8);
}

TEST(RadiativeLayer, FramesDoNotChangeThePhysics) {
  const Frames few = solved(*short_run({"frames=2"}), {1, "train", 3});
  const Frames many = solved(*short_run({"frames=7"}), {1, "train", 3});
  const Frames other = solved(*short_run({"frames=2"}), {1, "train", 12});  // other noise
  const auto distance = [](const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (size_t k = 0; k < a.size(); ++k) sum += std::abs(a[k] - b[k]);
    return sum;
  };
  EXPECT_EQ(few[0], many[0]);
  // Stops at stored times change the steps: the same flow to the scheme's error, not its bits.
  EXPECT_LT(distance(few[1], many[6]), 1e-3 * distance(few[1], other[1]));
}

TEST(RadiativeLayer, AdiabaticHasOneGroupAndNoCoolingTime) {
  const auto system = short_run({"cooling=false"});
  EXPECT_EQ(system->groups(), 1);
  EXPECT_TRUE(system->layout(0).parameters.empty());
  EXPECT_EQ(system->layout(0).file_stem, "turbulent_radiative_layer_adiabatic");
  EXPECT_EQ(solved(*system, {1, "test", 4}).size(), 4u);
}

TEST(RadiativeLayer, SettingsAreReadShownAndChecked) {
  const auto system = short_run({"cooling_times=[0.5, 0.125]", "shear_velocity=0.2"});
  EXPECT_EQ(system->groups(), 2);
  EXPECT_EQ(system->layout(1).file_stem, "turbulent_radiative_layer_tcool_0.125");
  EXPECT_THAT(system->settings(), testing::HasSubstr("shear_velocity = 0.2"));
  EXPECT_THROW(short_run({"cooling_times=[]"}), Error);
  EXPECT_THROW(short_run({"cooling_times=[0.5, 0.5]"}), Error);
  EXPECT_THROW(short_run({"end_time=0"}), Error);
  EXPECT_THROW(short_run({"frames=1"}), Error);  // at which of the two times?
  EXPECT_EQ(solved(*short_run({"frames=1", "start_time=1", "end_time=1"}), {1, "train", 0}).size(),
            1u);
  for (const char* endless : {"frames=1000001", "resolution=4096", "end_time=1e9",
                              "perturbation=1e200", "cooling_times=[1e9]"}) {
    EXPECT_THROW(short_run({endless}), Error) << endless;
  }
  EXPECT_THROW(short_run({"lower_boundary=floor"}), Error);
  EXPECT_THROW(short_run({"shear=1"}), Error);
  EXPECT_THROW(make_radiative_layer("medium", {}), Error);
}

TEST(RadiativeLayer, BrokenSolutionsAreRedrawnAndNeverStored) {
  // Supersonic noise tears the gas below the floors within two steps.
  const auto system = short_run({"perturbation=20", "shear_velocity=1"});
  int64_t stored = 0;
  EXPECT_THAT(
      [&] {
        system->solve({1, "train", 7}, [&](int64_t frame, auto) { stored += frame > 0; });
      },
      testing::ThrowsMessage<Error>(testing::HasSubstr("each of 8 initial states")));
  EXPECT_EQ(stored, 0);
}

TEST(RadiativeLayer, StopsBetweenStepsWhenInterrupted) {
  const auto interrupted = [] {  // in a process of its own: the flag stays set
    catch_interrupts();
    std::raise(SIGINT);
    try {
      solved(*short_run(), {1, "train", 0});
    } catch (const Interrupted&) {
      std::_Exit(7);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(interrupted(), testing::ExitedWithCode(7), "");
}

TEST(RadiativeLayer, StopsWhereACellFallsToAFloor) {
  RadiativeLayerConfig config;
  config.resolution = 16;
  config.shear_velocity = 1;
  config.perturbation = 20;
  RadiativeLayer layer(config, 1, noise());
  ASSERT_TRUE(layer.sound());
  layer.advance(6);
  EXPECT_GT(layer.solver().repairs().floored, 0);
  EXPECT_FALSE(layer.sound());
  EXPECT_LT(layer.time(), 1);
  const int64_t steps = layer.steps();
  layer.advance(6);
  EXPECT_EQ(layer.steps(), steps);
}

// The whole small run at every cooling time: nothing breaks, the interface stays in the box, and
// the fields have the size the Well publishes (stats.yaml of turbulent_radiative_layer_2D: mean and
// standard deviation of density, pressure, vx, vy). One seed per cooling time on a grid four times
// coarser, so deviations within a third are as good as one can ask.
TEST(RadiativeLayerSlow, AllCoolingTimesRunToTheEndWithThePublishedStatistics) {
  const auto system = make_radiative_layer("small", {});
  const int64_t plane = 32 * 96;
  std::array<double, 4> sum{}, square{};
  for (int64_t k = 0; k < 9; ++k) {
    double top_density = 0;
    const SolveReport report =
        system->solve({1, "train", k}, [&](int64_t, std::span<const float> values) {
          top_density = values[95];
          for (int64_t n = 0; n < 4 * plane; ++n) {
            sum[n / plane] += values[n];
            square[n / plane] += double{values[n]} * values[n];
          }
        });
    EXPECT_EQ(report.redraws, 0);
    EXPECT_LT(top_density, 5);
  }
  const double count = 9.0 * 101 * plane;
  const std::array<double, 4> mean{34.847, 0.94475, 6.1707e-3, -2.4651e-2};
  const std::array<double, 4> deviation{44.284, 0.060970, 0.041764, 0.040095};
  for (int f = 0; f < 4; ++f) {
    const double m = sum[f] / count, d = std::sqrt(square[f] / count - m * m);
    printf("channel %d: mean %.5g (published %.5g), deviation %.5g (%.5g)\n", f, m, mean[f], d,
           deviation[f]);
    EXPECT_NEAR(m, mean[f], 0.33 * deviation[f]);
    EXPECT_NEAR(d, deviation[f], 0.33 * deviation[f]);
  }
}

}  // namespace
}  // namespace roundtrip
