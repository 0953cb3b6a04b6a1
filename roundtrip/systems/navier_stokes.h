#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/systems/system.h"

namespace roundtrip {

/// Forced two-dimensional turbulence on the unit torus: the Navier-Stokes data of the Fourier
/// neural operator (viscosity 1e-5, unit frames 1 .. 20), generated anew. Time 0 is the random
/// initial vorticity; frames are the solution on a finer grid, every stride-th point.
struct NavierStokesConfig {
  int64_t resolution = 64;             // stored points per axis
  int64_t solve_resolution = 256;      // points per axis of the solver, even, a multiple
  double viscosity = 1e-5;             // nu
  double forcing = 0.1;                // amplitude of f; 0 = off
  std::string amplitude = "original";  // of the initial vorticity
  double start_time = 1.0;             // of the first stored frame
  double end_time = 20.0;              // of the last
  int64_t frames = 20;                 // stored frames, equally spaced
  std::string scheme = "ifrk4";        // time integrator
  double courant = 0.8;                // step length of ifrk4 when dt is 0
  double dt = 0.0;                     // fixed step; 0 = by courant, for fno 1e-4
};

/// Presets "paper" (solved at 256) and "small" (solved at 128, a twelfth of the time; 0.2 to 0.7
/// percent from it at t = 10, 1.4 to 5 percent at t = 20 where the flow turns chaotic). At the
/// default courant the time error is below 1e-4.
std::unique_ptr<System> make_navier_stokes(std::string_view preset,
                                           const std::vector<std::string>& overrides);

}  // namespace roundtrip
