#pragma once

#include <cstdint>
#include <string>

#include "roundtrip/systems/mhd_solver.h"
#include "roundtrip/systems/system.h"

namespace roundtrip {

/// Where MHD trajectories start. Random states are weakly magnetised and subsonic: at every draw
/// plasma beta and Alfven Mach number lie above the Orszag-Tang vortex's, sonic Mach number and
/// rms |B| below (docs/reference/systems.md). The other kinds have the vortex's density
/// gamma^2/(4 pi) and gas pressure gamma/(4 pi), so that sound travels at speed 1.
struct MhdInitialConfig {
  std::string kind = "random";            // one of mhd_initial_kinds()
  std::string vector_potential = "node";  // where A_z is sampled; center: half a cell off
  int64_t gaussians = 100;                // bumps in the random vector potential
  double width_min = 0.03;                // smallest standard deviation of a bump
  double width_max = 0.12;                // largest standard deviation of a bump
  double density_min = 0.5;               // smallest mean density, drawn log-uniformly
  double density_max = 1.0;               // largest mean density
  double pressure_min = 0.6;              // smallest mean gas pressure, drawn log-uniformly
  double pressure_max = 1.2;              // largest mean gas pressure
  double field_min = 0.07;                // smallest rms of |B|, drawn uniformly
  double field_max = 0.14;                // largest rms of |B|
  double velocity_min = 0.4;              // smallest rms of |v|, drawn uniformly
  double velocity_max = 0.8;              // largest rms of |v|
  double density_contrast = 0.3;          // rms variation of density over its mean
  double pressure_contrast = 0.3;         // rms variation of gas pressure over its mean
  int64_t max_mode = 4;                   // waves |k| <= max_mode in density, pressure, velocity
  double spectral_slope = 1.0;            // amplitude of wave k falls as |k|^-slope
  double field_scale = 1.0;               // multiplies the magnetic field of any start
  double velocity_scale = 1.0;            // multiplies the velocity of any start
};

/// random, orszag_tang, kelvin_helmholtz, blast.
const std::vector<std::string>& mhd_initial_kinds();

/// Whether different keys give different states (all but the Orszag-Tang vortex).
bool mhd_initial_is_random(const std::string& kind);
/// Whether its field comes from a sampled vector potential.
bool mhd_initial_has_potential(const std::string& kind);

/// The initial state on a unit box, the same function of x and y at every resolution. `attempt`
/// counts redraws.
MhdState make_mhd_initial(const MhdInitialConfig& config, double gamma, const MhdGrid& grid,
                          const TrajectoryKey& key, int64_t attempt = 0);

}  // namespace roundtrip
