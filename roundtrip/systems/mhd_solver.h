#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace roundtrip {

/// A periodic box of nx x ny square cells of side `spacing`. Arrays are [x, y], y contiguous.
struct MhdGrid {
  int64_t nx = 0;
  int64_t ny = 0;
  double spacing = 0;

  int64_t cells() const { return nx * ny; }
};

/// The choices of the scheme.
struct MhdScheme {
  double gamma = 5.0 / 3;        // adiabatic index
  double courant = 0.4;          // time step as a fraction of spacing / (|v| + fast speed)
  bool limiter = true;           // minmod slopes; off: central, second order also at extrema
  double density_floor = 1e-4;   // smallest density; a cell below it counts as a hit
  double pressure_floor = 1e-5;  // smallest gas pressure; likewise
};

/// What a solve starts from, each array [x, y] of nx * ny. Units: magnetic pressure is B^2/2.
struct MhdState {
  std::vector<double> density, velocity_x, velocity_y, gas_pressure;  // at cell centres
  std::vector<double> face_field_x;  // Bx on the face between cells i and i+1
  std::vector<double> face_field_y;  // By on the face between cells j and j+1
};

/// Cell-centred fields, each [x, y] of nx * ny.
struct MhdFields {
  std::vector<double> density, total_pressure, gas_pressure, velocity_x, velocity_y, field_x,
      field_y;
};

/// Sums over the box that the equations conserve, as integrals.
struct MhdTotals {
  double mass = 0, momentum_x = 0, momentum_y = 0, energy = 0;
};

/// Two-dimensional compressible ideal MHD on a periodic grid: second-order finite volumes with
/// constrained transport. Mass, momentum, energy and div B hold to round-off.
class MhdSolver {
 public:
  MhdSolver(const MhdGrid& grid, const MhdScheme& scheme, const MhdState& initial);
  ~MhdSolver();

  /// The largest stable time step: courant * spacing / max(|v| + fast speed).
  double stable_step() const;
  /// Advances the state by dt <= stable_step().
  void step(double dt);
  /// Steps until exactly `time`, in equal shares of what is left. Stops early and returns false
  /// when a cell hit a floor or is not a number.
  bool advance_to(double time);

  double time() const;
  int64_t steps() const;
  /// Cells found below a floor or not a number, over all steps. The floors only keep the primitive
  /// variables usable; the conserved ones are never altered, so totals() still holds.
  int64_t floor_hits() const;

  MhdFields fields() const;
  MhdTotals totals() const;
  /// max |div B| times the spacing.
  double largest_divergence() const;

 private:
  class Sweep;
  std::unique_ptr<Sweep> sweep_;
};

}  // namespace roundtrip
