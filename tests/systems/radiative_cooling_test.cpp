#include "roundtrip/systems/radiative_cooling.h"

#include <cmath>

#include <gtest/gtest.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

// dT/dt = -(gamma - 1) loss / density, by many small steps of the classical Runge-Kutta method.
double integrated(const RadiativeCooling& cooling, const CoolingConfig& config, double density,
                  double temperature, double time, int steps) {
  const auto rate = [&](double t) {
    return -(config.gamma - 1) * cooling.loss(density, t) / density;
  };
  const double h = time / steps;
  for (int k = 0; k < steps; ++k) {
    const double a = rate(temperature), b = rate(temperature + 0.5 * h * a),
                 c = rate(temperature + 0.5 * h * b), d = rate(temperature + h * c);
    temperature += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return temperature;
}

TEST(RadiativeCooling, StepsMatchTheDifferentialEquation) {
  CoolingConfig config;
  config.cooling_time = 0.3;
  for (const double width : {0.4, 1.0}) {
    config.width = width;
    const RadiativeCooling cooling(config);
    for (const double start : {0.011, 0.03, 0.1, 0.31, 0.9}) {
      for (const double time : {0.001, 0.1, 0.5, 3.0}) {
        const double density = 1 / start;
        const double exact = integrated(cooling, config, density, start, time, 10000);
        // The table has 256 bins per octave: its curve is off by 1e-5 of the peak.
        EXPECT_NEAR(cooling.cooled(density, start, time) / exact, 1, 3e-5)
            << "width " << width << " from " << start << " for " << time;
      }
    }
  }
}

TEST(RadiativeCooling, BothPhasesAreExactFixedPoints) {
  const RadiativeCooling cooling({});
  EXPECT_EQ(cooling.loss(100, 0.01), 0);
  EXPECT_EQ(cooling.loss(1, 1), 0);
  for (const double temperature : {0.01, 1.0, 0.005, 2.0}) {
    EXPECT_EQ(cooling.cooled(7, temperature, 1e6), temperature);
  }
}

TEST(RadiativeCooling, RateAtTheMixedTemperatureIsTheCoolingTime) {
  CoolingConfig config;
  config.cooling_time = 0.25;
  const RadiativeCooling cooling(config);
  EXPECT_DOUBLE_EQ(cooling.mixed_temperature(), 0.1);
  const double thermal = config.pressure / (config.gamma - 1);
  EXPECT_NEAR(thermal / cooling.loss(10, 0.1), 0.25, 1e-12);
  // The curve peaks there, falls to both sides and is even in ln T.
  EXPECT_LT(cooling.loss(10, 0.09), cooling.loss(10, 0.1));
  EXPECT_LT(cooling.loss(10, 0.11), cooling.loss(10, 0.1));
  EXPECT_NEAR(cooling.loss(10, 0.05) / cooling.loss(10, 0.2), 1, 1e-12);
}

TEST(RadiativeCooling, TwoHalfStepsAreOneStep) {
  const RadiativeCooling cooling({});
  for (const double start : {0.0101, 0.02, 0.1, 0.5, 0.99}) {
    for (const double time : {1e-3, 1.0, 20.0}) {
      const double once = cooling.cooled(3, start, time);
      const double twice = cooling.cooled(3, cooling.cooled(3, start, time / 2), time / 2);
      EXPECT_NEAR(twice / once, 1, 1e-11);
    }
  }
}

TEST(RadiativeCooling, NoStepIsTooLong) {
  CoolingConfig config;
  config.cooling_time = 1e-4;
  const RadiativeCooling cooling(config);
  for (double start = 0.0101; start < 0.999; start *= 1.07) {
    double before = start;
    for (const double time : {1e-6, 1e-4, 1e-2, 1.0, 1e4}) {
      const double after = cooling.cooled(1 / start, start, time);
      EXPECT_GE(after, 0.01);
      EXPECT_LE(after, before);
      before = after;
    }
    EXPECT_NEAR(before, 0.01, 1e-8);
  }
}

TEST(RadiativeCooling, AppliesToTheThermalPartOnlyAndReportsTheLoss) {
  CoolingConfig config;
  config.cooling_time = 0.1;
  const RadiativeCooling cooling(config);
  EulerConfig grid;
  grid.x = {4, 0, 1};
  grid.y = {4, 0, 1};
  EulerSolver solver(grid);
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 4; ++j) solver.set_gas(i, j, {1, 1, 0.3, -0.2});
  }
  solver.set_gas(1, 2, {10, 1, 0.3, -0.2});
  const double before = solver.totals().energy;
  const double lost = cooling.apply(solver.state(), 0.05);
  EXPECT_NEAR(before - solver.totals().energy, lost * solver.cell_area(), 1e-14);
  EXPECT_EQ(solver.gas(0, 0).pressure, 1);
  const Gas cooled = solver.gas(1, 2);
  EXPECT_NEAR(cooled.pressure, 10 * cooling.cooled(10, 0.1, 0.05), 1e-13);
  EXPECT_LT(cooled.pressure, 0.8);
  EXPECT_DOUBLE_EQ(cooled.velocity_x, 0.3);
}

TEST(RadiativeCooling, RefusesCurvesThatMakeNoSense) {
  CoolingConfig upside_down;
  upside_down.cold = 2;
  EXPECT_THROW(RadiativeCooling{upside_down}, Error);
  CoolingConfig still;
  still.cooling_time = 0;
  EXPECT_THROW(RadiativeCooling{still}, Error);
}

}  // namespace
}  // namespace roundtrip
