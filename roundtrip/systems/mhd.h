#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/systems/mhd_initial.h"
#include "roundtrip/systems/mhd_solver.h"
#include "roundtrip/systems/system.h"

namespace roundtrip {

/// Two-dimensional compressible ideal MHD on the periodic unit box. Frames are cell averages of the
/// solution on a grid as fine or finer (mhd_average.h).
struct MhdConfig {
  int64_t resolution = 64;         // stored cells along x and along y
  int64_t solve_resolution = 0;    // cells the solver has, a multiple; 0 = resolution
  int64_t frames = 100;            // stored frames, equally spaced
  double start_time = 0.0;         // of the first stored frame; solving starts at 0
  double end_time = 0.99;          // of the last stored frame
  std::string pressure = "total";  // stored pressure: total (gas + B^2/2) or gas
  MhdInitialConfig initial = {};
  MhdScheme scheme = {};
};

std::unique_ptr<System> make_mhd(const MhdConfig& config);

/// From a preset, "small" or "paper", and overrides such as "resolution=128".
std::unique_ptr<System> make_mhd(std::string_view preset,
                                 const std::vector<std::string>& overrides);

/// What settings written before some settings existed mean by leaving those out: random states
/// about the density and pressure of the Orszag-Tang vortex at gamma = 5/3, frames as solved.
std::vector<std::string> mhd_settings_when_absent();

}  // namespace roundtrip
