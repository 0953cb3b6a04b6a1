#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/systems/euler_solver.h"
#include "roundtrip/systems/radiative_cooling.h"
#include "roundtrip/systems/system.h"

namespace roundtrip {

/// A turbulent radiative mixing layer in the geometry of the Well's turbulent_radiative_layer_2D:
/// cold dense gas (y < 0) under hot dilute gas that slides over it. x in [-0.5, 0.5] is periodic,
/// y in [-1, 2] open above and, by choice, open or closed below. Units: density and pressure of the
/// hot gas are 1, so its temperature too.
struct RadiativeLayerConfig {
  int64_t resolution = 128;             // cells along x; y has three times as many
  int64_t frames = 101;                 // stored, equally spaced
  double start_time = 0;                // of the first stored frame
  double end_time = 159.7033;           // of the last stored frame
  double gamma = 5.0 / 3.0;             // ratio of specific heats
  double courant = 0.8;                 // fraction of the stable time step
  bool limiter = true;                  // monotonised slopes
  double density_contrast = 100;        // cold / hot
  double shear_velocity = 0.08;         // of the hot gas against the cold; hot sound speed 1.29
  double thickness = 0.02;              // of the tanh profiles of density and velocity
  double perturbation = 0.1;            // rms of the noise in vy at the interface / shear_velocity
  int64_t perturbation_modes = 8;       // wavenumbers 1, 2, ... along x in the noise
  std::string lower_boundary = "wall";  // or "open": zero gradient, see the source
  bool cooling = true;                  // false: adiabatic, one group of trajectories
  double cooling_width = 0.4;           // of the cooling curve, in ln T
  std::vector<double> cooling_times = {0.03, 0.06, 0.10, 0.18, 0.32, 0.56, 1.00, 1.78, 3.16};
};

/// One layer on its way: gas, cooling and what has been radiated. Used by the system and by those
/// who want budgets.
class RadiativeLayer {
 public:
  /// At time 0, with the noise of the key's draws; `group` chooses the cooling time.
  RadiativeLayer(const RadiativeLayerConfig& config, int64_t group, const RandomStream& noise);

  /// Advances to `time` exactly, by Strang splitting: cooling on both sides of each gas step. Stops
  /// early when the gas is no longer sound.
  void advance(double time);
  /// False once a cell had to be raised to a floor or speeds ran away.
  bool sound() const { return solver_.repairs().floored == 0 && !runaway_; }

  double time() const { return time_; }
  int64_t steps() const { return steps_; }
  /// Energy radiated since the start.
  double radiated() const { return radiated_; }
  const EulerSolver& solver() const { return solver_; }

 private:
  void cool(double dt);
  double next_step();

  EulerSolver solver_;
  std::unique_ptr<RadiativeCooling> cooling_;  // null: adiabatic
  double time_ = 0;
  int64_t steps_ = 0;
  double radiated_ = 0;
  bool runaway_ = false;
};

/// Presets "small" (32 x 96) and "paper" (128 x 384). One group of trajectories per cooling time.
std::unique_ptr<System> make_radiative_layer(std::string_view preset,
                                             const std::vector<std::string>& overrides);

}  // namespace roundtrip
