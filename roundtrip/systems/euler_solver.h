#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace roundtrip {

/// How the gas meets one end of an axis.
enum class EulerBoundary {
  periodic,  // joined to the other end; both ends must say so
  open,      // zero gradient: the edge cell repeated
  wall,      // reflecting: the edge cells mirrored, the normal velocity reversed

};

/// One axis of the grid: equal cells from low to high.
struct EulerAxis {
  int64_t cells = 0;
  double low = 0;
  double high = 1;
  EulerBoundary at_low = EulerBoundary::periodic;
  EulerBoundary at_high = EulerBoundary::periodic;

  double spacing() const { return (high - low) / static_cast<double>(cells); }
  double centre(int64_t i) const { return low + (static_cast<double>(i) + 0.5) * spacing(); }
};

struct EulerConfig {
  EulerAxis x;                   // first array axis
  EulerAxis y;                   // second array axis, contiguous
  double gamma = 5.0 / 3.0;      // ratio of specific heats
  double courant = 0.8;          // fraction of the stable step; unsplit scheme, stable below 1
  bool limiter = true;           // false: central slopes, for smooth flows only
  double density_floor = 1e-8;   // cells below are raised and counted
  double pressure_floor = 1e-8;  // cells below are raised and counted
};

/// One cell's gas in primitive variables.
struct Gas {
  double density = 1;
  double pressure = 1;
  double velocity_x = 0;
  double velocity_y = 0;
};

/// Conserved densities on the grid, each [x, y].
struct EulerState {
  std::vector<double> density;
  std::vector<double> momentum_x;
  std::vector<double> momentum_y;
  std::vector<double> energy;  // total: thermal + kinetic
};

/// What passed through the boundaries into the grid since the start, integrated over time.
struct EulerInflow {
  double mass = 0;
  double momentum_x = 0;  // pressure included
  double momentum_y = 0;
  double energy = 0;
};

/// How often the scheme had to defend positivity; all zero in a healthy run.
struct EulerRepairs {
  int64_t flattened = 0;  // cells whose reconstruction fell back to first order
  int64_t floored = 0;    // cells raised to a floor, which adds mass or energy
};

/// The 2-D compressible Euler equations of an ideal gas by finite volumes: unsplit MUSCL-Hancock,
/// HLLC fluxes, second order in space and time, conservative to round-off. Deterministic, one
/// thread, double precision.
class EulerSolver {
 public:
  explicit EulerSolver(const EulerConfig& config);

  const EulerConfig& config() const { return config_; }
  double cell_area() const { return config_.x.spacing() * config_.y.spacing(); }

  /// Cell (i, j) of the state, from and to primitive variables.
  Gas gas(int64_t i, int64_t j) const;
  void set_gas(int64_t i, int64_t j, const Gas& gas);

  /// The conserved state, for source terms that act on it between steps.
  EulerState& state() { return state_; }
  const EulerState& state() const { return state_; }

  /// The longest step the present state allows.
  double stable_step() const;
  /// Advances by one step of dt, at most `stable_step()`.
  void step(double dt);

  /// Volume integrals of the conserved densities, in the fields of EulerInflow.
  EulerInflow totals() const;
  const EulerInflow& inflow() const { return inflow_; }
  const EulerRepairs& repairs() const { return repairs_; }

 private:
  /// Four arrays of rows: density, pressure, velocity along x, velocity along y; or four fluxes.
  using Quad = std::array<double*, 4>;
  /// One row of primitives at the four faces of its cells, half a step ahead.
  struct Faces {
    Quad low_x, high_x, low_y, high_y;
  };

  Quad primitive_row(int64_t i);
  Quad conserved_row(int64_t i);
  void fill_primitives();
  void repair_row(int64_t i);
  void fill_ghosts();
  void reconstruct_row(int64_t i, double dt, const Faces& faces);
  void update_row(int64_t i, double dt, const Quad& low_x, const Quad& high_x, const Quad& flux_y);
  void count_inflow(double weight, const Quad& flux, int64_t begin, int64_t end);

  EulerConfig config_;
  int64_t stride_;  // of a padded row
  EulerState state_;
  std::vector<double> primitives_;  // 4 x (nx + 4) padded rows
  std::vector<double> scratch_;     // rows of face states and fluxes
  EulerInflow inflow_;
  EulerRepairs repairs_;
};

}  // namespace roundtrip
