// Finite volumes with constrained transport: cell averages of mass, momentum and energy, magnetic
// field on the faces, changed by the electric field at the nodes so that div B stays at round-off
// (Evans & Hawley 1988). Slopes, half a step in primitive variables with total pressure, Rusanov
// fluxes of the mean state, one unsplit update (MUSCL-Hancock): the scheme P. Mocz teaches.
//
// Speed: one sweep over the rows does all of it. A row of face states, fluxes and electric fields
// lives in buffers of a few rows that stay in cache; only conserved and primitive variables are
// whole arrays, and they are updated in place, one row behind the newest slopes.
#include "roundtrip/systems/mhd_solver.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/systems/mhd_kernels.h"
#include "roundtrip/systems/mhd_rows.h"

namespace roundtrip {
namespace {

using mhd::Flux;
using mhd::FluxRow;
using mhd::GammaLaw;
using mhd::Primitive;
using mhd::PrimitiveRow;
using mhd::RowStore;
using mhd::StoredRow;

// Predicted states of one row of cells at their four faces.
struct FaceStates {
  PrimitiveRow x_low, x_high, y_low, y_high;
};

template <bool kLimited>
void reconstruct(PrimitiveRow below, PrimitiveRow here, PrimitiveRow above, FaceStates out,
                 int64_t ny, double dt_dx, GammaLaw gas) {
#pragma GCC ivdep
  for (int64_t j = 0; j < ny; ++j) {
    const Primitive w = here[j];
    const Primitive sx = mhd::half_slopes<kLimited>(below[j], w, above[j]);
    const Primitive sy = mhd::half_slopes<kLimited>(here[j - 1], w, here[j + 1]);
    const Primitive half = mhd::predict(w, sx, sy, dt_dx, gas);
    out.x_low.set(j, half - sx);
    out.x_high.set(j, half + sx);
    out.y_low.set(j, half - sy);
    out.y_high.set(j, half + sy);
  }
  out.y_low.copy(ny, 0);
}

// Fluxes through the faces between the rows `low` and `high`.
void x_fluxes(PrimitiveRow low, PrimitiveRow high, FluxRow out, int64_t ny, GammaLaw gas) {
#pragma GCC ivdep
  for (int64_t j = 0; j < ny; ++j) out.set(j, mhd::rusanov(low[j], high[j], gas));
  out.copy(ny, 0);
}

// Fluxes through the faces between cells j and j+1 of one row.
void y_fluxes(PrimitiveRow y_low, PrimitiveRow y_high, FluxRow out, int64_t ny, GammaLaw gas) {
#pragma GCC ivdep
  for (int64_t j = 0; j < ny; ++j) {
    const Primitive below = mhd::transposed(y_high[j]), above = mhd::transposed(y_low[j + 1]);
    out.set(j, mhd::transposed(mhd::rusanov(below, above, gas)));
  }
  out.copy(-1, ny - 1);
}

// E_z at the nodes above row i: the mean over the four faces that meet there. An x-face carries
// v_x B_y - v_y B_x = -E_z, a y-face +E_z.
void node_field(FluxRow x_flux, FluxRow y_flux, FluxRow y_flux_next, double* ez, int64_t ny) {
#pragma GCC ivdep
  for (int64_t j = 0; j < ny; ++j) {
    ez[j] = 0.25 * (y_flux.bt[j] + y_flux_next.bt[j] - x_flux.bt[j] - x_flux.bt[j + 1]);
  }
  ez[-1] = ez[ny - 1];
}

void update(StoredRow u, FluxRow x_below, FluxRow x_above, FluxRow y, const double* ez_below,
            const double* ez_above, int64_t ny, double dt_dx) {
#pragma GCC ivdep
  for (int64_t j = 0; j < ny; ++j) {
    u.rho[j] -= dt_dx * (x_above.rho[j] - x_below.rho[j] + (y.rho[j] - y.rho[j - 1]));
    u.mx[j] -= dt_dx * (x_above.mx[j] - x_below.mx[j] + (y.mx[j] - y.mx[j - 1]));
    u.my[j] -= dt_dx * (x_above.my[j] - x_below.my[j] + (y.my[j] - y.my[j - 1]));
    u.energy[j] -=
        dt_dx * (x_above.energy[j] - x_below.energy[j] + (y.energy[j] - y.energy[j - 1]));
    u.bx[j] -= dt_dx * (ez_above[j] - ez_above[j - 1]);
    u.by[j] += dt_dx * (ez_above[j] - ez_below[j]);
  }
  u.by[-1] = u.by[ny - 1];
}

// Running maximum of the signal speed and count of floor hits, per column: a sum or a maximum over
// j would tie the loop to one number and keep it from being vectorised.
struct Watch {
  double *speed, *hits;
};

// Primitive variables of a row; `bx_below` is the field on its lower x-faces.
void to_primitive(StoredRow u, const double* bx_below, PrimitiveRow out, Watch watch, int64_t ny,
                  const MhdScheme& scheme, GammaLaw gas) {
  const double rho_floor = scheme.density_floor, p_floor = scheme.pressure_floor;
#pragma GCC ivdep
  for (int64_t j = 0; j < ny; ++j) {
    const double rho = mhd::greater(u.rho[j], rho_floor), inverse_rho = 1 / rho;
    const double vx = u.mx[j] * inverse_rho, vy = u.my[j] * inverse_rho;
    const double bx = 0.5 * (bx_below[j] + u.bx[j]), by = 0.5 * (u.by[j - 1] + u.by[j]);
    const double b2 = bx * bx + by * by, v2 = vx * vx + vy * vy;
    const double p_cell = gas.minus_one * (u.energy[j] - 0.5 * (rho * v2 + b2));
    const double p = mhd::greater(p_cell, p_floor);
    // A NaN anywhere makes p_cell NaN and the comparison false.
    watch.hits[j] += (u.rho[j] >= rho_floor) & (p_cell >= p_floor) ? 0.0 : 1.0;
    watch.speed[j] =
        mhd::greater(watch.speed[j], std::sqrt(v2) + std::sqrt((gas.gamma * p + b2) * inverse_rho));
    out.set(j, {rho, vx, vy, p + 0.5 * b2, bx, by});
  }
  out.copy(-1, ny - 1);
  out.copy(ny, 0);
}

}  // namespace

class MhdSolver::Sweep {
 public:
  Sweep(const MhdGrid& grid, const MhdScheme& scheme, const MhdState& initial)
      : grid_(grid),
        scheme_(scheme),
        gas_(scheme.gamma),
        rows_(6 * (grid.nx + 4) + 6 * grid.nx + 6 * 5 + 5 * 4 + 2 + 2, grid.ny),
        primitive_(rows_.take_primitive(grid.nx + 4).shifted(2 * rows_.stride())),
        stored_(rows_.take_stored(grid.nx)),
        faces_{rows_.take_primitive(), rows_.take_primitive(), rows_.take_primitive(),
               rows_.take_primitive()},
        x_high_previous_(rows_.take_primitive()),
        x_flux_{rows_.take_flux(), rows_.take_flux()},
        y_flux_{rows_.take_flux(), rows_.take_flux()},
        ez_{rows_.take(1), rows_.take(1)},
        watch_{rows_.take(1), rows_.take(1)} {
    load(initial);
  }

  void step(double dt) {
    wrap_rows();
    if (scheme_.limiter) {
      sweep<true>(dt / grid_.spacing);
    } else {
      sweep<false>(dt / grid_.spacing);
    }
    time_ += dt;
    ++steps_;
  }

  double stable_step() const { return scheme_.courant * grid_.spacing / speed_; }

  const MhdGrid grid_;
  const MhdScheme scheme_;
  double time_ = 0;
  int64_t steps_ = 0;
  int64_t hits_ = 0;

  PrimitiveRow primitive(int64_t i) const { return primitive_.shifted(i * rows_.stride()); }
  StoredRow stored(int64_t i) const { return stored_.shifted(i * rows_.stride()); }

 private:
  void load(const MhdState& initial);

  // Row i enters with its slopes; row i-1 then has all its fluxes and leaves updated. Rows -1 and
  // nx are ghosts: they lend their fluxes only.
  template <bool kLimited>
  void sweep(double dt_dx) {
    const int64_t nx = grid_.nx, ny = grid_.ny;
    for (int64_t i = -1; i <= nx; ++i) {
      std::swap(x_high_previous_, faces_.x_high);
      std::swap(x_flux_[0], x_flux_[1]);
      std::swap(y_flux_[0], y_flux_[1]);
      std::swap(ez_[0], ez_[1]);
      reconstruct<kLimited>(primitive(i - 1), primitive(i), primitive(i + 1), faces_, ny, dt_dx,
                            gas_);
      y_fluxes(faces_.y_low, faces_.y_high, y_flux_[1], ny, gas_);
      if (i < 0) continue;
      x_fluxes(x_high_previous_, faces_.x_low, x_flux_[1], ny, gas_);
      node_field(x_flux_[1], y_flux_[0], y_flux_[1], ez_[1], ny);
      if (i < 1) continue;
      update(stored(i - 1), x_flux_[0], x_flux_[1], y_flux_[0], ez_[0], ez_[1], ny, dt_dx);
      if (i > 1) refresh(i - 1);
    }
    refresh(0);  // its lower faces belong to the last row
    read_watch();
  }

  void refresh(int64_t i) {
    const int64_t below = i == 0 ? grid_.nx - 1 : i - 1;
    to_primitive(stored(i), stored(below).bx, primitive(i), watch_, grid_.ny, scheme_, gas_);
  }

  void wrap_rows() {
    const int64_t nx = grid_.nx, ny = grid_.ny;
    const auto copy_row = [&](int64_t to, int64_t from) {
      const PrimitiveRow source = primitive(from), target = primitive(to);
      for (int64_t j = -1; j <= ny; ++j) target.set(j, source[j]);
    };
    copy_row(-2, nx - 2), copy_row(-1, nx - 1), copy_row(nx, 0), copy_row(nx + 1, 1);
  }

  void read_watch() {
    speed_ = *std::max_element(watch_.speed, watch_.speed + grid_.ny);
    for (int64_t j = 0; j < grid_.ny; ++j) hits_ += static_cast<int64_t>(watch_.hits[j]);
    std::fill_n(watch_.speed, grid_.ny, 0.0);
    std::fill_n(watch_.hits, grid_.ny, 0.0);
  }

  const GammaLaw gas_;
  RowStore rows_;
  PrimitiveRow primitive_;  // row 0 of nx, with two ghost rows on either side
  StoredRow stored_;        // row 0 of nx
  FaceStates faces_;
  PrimitiveRow x_high_previous_;
  FluxRow x_flux_[2], y_flux_[2];  // of the row before and of the newest
  double* ez_[2];
  Watch watch_;
  double speed_ = 0;  // largest |v| + fast speed
};

void MhdSolver::Sweep::load(const MhdState& initial) {
  const int64_t nx = grid_.nx, ny = grid_.ny;
  for (int64_t i = 0; i < nx; ++i) {
    const StoredRow u = stored(i);
    std::copy_n(&initial.face_field_x[i * ny], ny, u.bx);
    std::copy_n(&initial.face_field_y[i * ny], ny, u.by);
    u.by[-1] = u.by[ny - 1];
  }
  for (int64_t i = 0; i < nx; ++i) {
    const StoredRow u = stored(i);
    const double* bx_below = stored(i == 0 ? nx - 1 : i - 1).bx;
    for (int64_t j = 0; j < ny; ++j) {
      const int64_t cell = i * ny + j;
      const double rho = initial.density[cell];
      const double vx = initial.velocity_x[cell], vy = initial.velocity_y[cell];
      const double bx = 0.5 * (bx_below[j] + u.bx[j]), by = 0.5 * (u.by[j - 1] + u.by[j]);
      u.rho[j] = rho, u.mx[j] = rho * vx, u.my[j] = rho * vy;
      u.energy[j] = gas_.inverse * initial.gas_pressure[cell] +
                    0.5 * (rho * (vx * vx + vy * vy) + bx * bx + by * by);
    }
    refresh(i);
  }
  read_watch();
}

MhdSolver::MhdSolver(const MhdGrid& grid, const MhdScheme& scheme, const MhdState& initial) {
  ensure(grid.nx >= 2 && grid.ny >= 2 && grid.spacing > 0, "mhd: a grid of at least 2x2 cells");
  const auto cells = static_cast<size_t>(grid.cells());
  for (const auto* field : {&initial.density, &initial.velocity_x, &initial.velocity_y,
                            &initial.gas_pressure, &initial.face_field_x, &initial.face_field_y}) {
    ensure(field->size() == cells, "mhd: an initial field does not fit the grid");
  }
  sweep_ = std::make_unique<Sweep>(grid, scheme, initial);
}

MhdSolver::~MhdSolver() = default;

double MhdSolver::stable_step() const { return sweep_->stable_step(); }
void MhdSolver::step(double dt) { sweep_->step(dt); }
double MhdSolver::time() const { return sweep_->time_; }
int64_t MhdSolver::steps() const { return sweep_->steps_; }
int64_t MhdSolver::floor_hits() const { return sweep_->hits_; }

bool MhdSolver::advance_to(double end) {
  while (sweep_->time_ < end && sweep_->hits_ == 0) {
    stop_if_interrupted();
    const double left = end - sweep_->time_;
    const double shares = std::ceil(left / stable_step());
    sweep_->step(left / shares);
    if (shares == 1) sweep_->time_ = end;
  }
  return sweep_->hits_ == 0;
}

MhdFields MhdSolver::fields() const {
  const MhdGrid& grid = sweep_->grid_;
  MhdFields out;
  for (auto* field : {&out.density, &out.total_pressure, &out.gas_pressure, &out.velocity_x,
                      &out.velocity_y, &out.field_x, &out.field_y}) {
    field->reserve(grid.cells());
  }
  for (int64_t i = 0; i < grid.nx; ++i) {
    const PrimitiveRow row = sweep_->primitive(i);
    for (int64_t j = 0; j < grid.ny; ++j) {
      const Primitive w = row[j];
      out.density.push_back(w.rho);
      out.total_pressure.push_back(w.p);
      out.gas_pressure.push_back(w.p - 0.5 * (w.bx * w.bx + w.by * w.by));
      out.velocity_x.push_back(w.vx);
      out.velocity_y.push_back(w.vy);
      out.field_x.push_back(w.bx);
      out.field_y.push_back(w.by);
    }
  }
  return out;
}

MhdTotals MhdSolver::totals() const {
  const MhdGrid& grid = sweep_->grid_;
  // Row sums first: adding cells to one large total would round off more than the scheme does.
  const auto integral = [&](double* StoredRow::*variable) {
    double sum = 0;
    for (int64_t i = 0; i < grid.nx; ++i) {
      const double* row = sweep_->stored(i).*variable;
      sum += std::accumulate(row, row + grid.ny, 0.0);
    }
    return sum * grid.spacing * grid.spacing;
  };
  return {integral(&StoredRow::rho), integral(&StoredRow::mx), integral(&StoredRow::my),
          integral(&StoredRow::energy)};
}

double MhdSolver::largest_divergence() const {
  const MhdGrid& grid = sweep_->grid_;
  double largest = 0;
  for (int64_t i = 0; i < grid.nx; ++i) {
    const StoredRow u = sweep_->stored(i);
    const double* bx_below = sweep_->stored(i == 0 ? grid.nx - 1 : i - 1).bx;
    for (int64_t j = 0; j < grid.ny; ++j) {
      largest = std::max(largest, std::abs(u.bx[j] - bx_below[j] + u.by[j] - u.by[j - 1]));
    }
  }
  return largest;
}

}  // namespace roundtrip
