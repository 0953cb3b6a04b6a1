// MUSCL-Hancock on a padded grid, one row of cells at a time: slopes of the primitive variables,
// half a step ahead by the quasi-linear equations in both directions, one HLLC flux per face, one
// conservative update. Rows are short enough for the cache and every inner loop runs along y
// without a branch, so that the compiler vectorises it.
// van Leer 1984 (SIAM J. Sci. Stat. Comput. 5, 1); Toro, Riemann Solvers, chapters 10 and 14.
#include "roundtrip/systems/euler_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr int64_t kGhosts = 2;  // a face needs the slopes of both its cells

using Quad = std::array<double*, 4>;
enum Field { kDensity, kPressure, kVelocityX, kVelocityY };

void check(const EulerAxis& axis, const char* name) {
  if (axis.cells < kGhosts || !(axis.high > axis.low)) {
    throw Error("euler",
                fmt::format("axis {}: at least {} cells and high above low, found {} cells "
                            "from {} to {}",
                            name, kGhosts, axis.cells, axis.low, axis.high));
  }
  if ((axis.at_low == EulerBoundary::periodic) != (axis.at_high == EulerBoundary::periodic)) {
    throw Error("euler", fmt::format("axis {}: both ends must be periodic or neither", name));
  }
}

// Where ghost cell g (0 nearest) takes its value, as an index into the cells.
int64_t ghost_source(EulerBoundary kind, bool at_low, int64_t g, int64_t cells) {
  if (kind == EulerBoundary::periodic) return at_low ? cells - 1 - g : g;
  const int64_t inward = kind == EulerBoundary::wall ? g : 0;
  return at_low ? inward : cells - 1 - inward;
}

// Undivided slope over a cell. Limited: monotonised central differences (van Leer 1977).
template <bool limited>
inline double slope(double below, double here, double above) {
  const double central = 0.5 * (above - below);
  if constexpr (!limited) return central;
  const double a = here - below;
  const double b = above - here;
  const double steepest = 2 * std::min(std::abs(a), std::abs(b));
  const double size = std::min(steepest, std::abs(central));
  return a * b > 0 ? std::copysign(size, central) : 0.0;
}

struct HalfStep {
  double x, y;  // dt / 2 dx, dt / 2 dy
  double gamma, density_floor, pressure_floor;
};

// Face states of one padded row. Returns in how many cells a face would have left the physical
// range; there the cell average stands for the faces (first order).
template <bool limited>
int64_t reconstruct(const Quad& row_below, const Quad& row, const Quad& row_above, int64_t first,
                    int64_t last, const HalfStep& half, const Quad& low_x, const Quad& high_x,
                    const Quad& low_y, const Quad& high_y) {
  int64_t flattened = 0;
#pragma GCC ivdep
  for (int64_t j = first; j < last; ++j) {
    const double rho = row[kDensity][j], p = row[kPressure][j];
    const double vx = row[kVelocityX][j], vy = row[kVelocityY][j];
    const auto along_x = [&](Field f) {
      return slope<limited>(row_below[f][j], row[f][j], row_above[f][j]);
    };
    const auto along_y = [&](Field f) {
      return slope<limited>(row[f][j - 1], row[f][j], row[f][j + 1]);
    };
    const double rho_x = along_x(kDensity), rho_y = along_y(kDensity);
    const double p_x = along_x(kPressure), p_y = along_y(kPressure);
    const double vx_x = along_x(kVelocityX), vx_y = along_y(kVelocityX);
    const double vy_x = along_x(kVelocityY), vy_y = along_y(kVelocityY);
    const double volume = 1 / rho;

    const double d_rho = -half.x * (vx * rho_x + rho * vx_x) - half.y * (vy * rho_y + rho * vy_y);
    const double d_p =
        -half.x * (vx * p_x + half.gamma * p * vx_x) - half.y * (vy * p_y + half.gamma * p * vy_y);
    const double d_vx = -half.x * (vx * vx_x + p_x * volume) - half.y * vy * vx_y;
    const double d_vy = -half.x * vx * vy_x - half.y * (vy * vy_y + p_y * volume);

    const double lowest_rho = rho + d_rho - 0.5 * std::max(std::abs(rho_x), std::abs(rho_y));
    const double lowest_p = p + d_p - 0.5 * std::max(std::abs(p_x), std::abs(p_y));
    const bool sound = (lowest_rho > half.density_floor) & (lowest_p > half.pressure_floor);
    flattened += sound ? int64_t{0} : int64_t{1};
    const double keep = sound ? 1.0 : 0.0;

    const auto store = [&](Field f, double q, double change, double along, double across) {
      const double middle = q + keep * change;
      const double half_x = 0.5 * keep * along, half_y = 0.5 * keep * across;
      low_x[f][j] = middle - half_x;
      high_x[f][j] = middle + half_x;
      low_y[f][j] = middle - half_y;
      high_y[f][j] = middle + half_y;
    };
    store(kDensity, rho, d_rho, rho_x, rho_y);
    store(kPressure, p, d_p, p_x, p_y);
    store(kVelocityX, vx, d_vx, vx_x, vx_y);
    store(kVelocityY, vy, d_vy, vy_x, vy_y);
  }
  return flattened;
}

// HLLC fluxes of mass, energy, normal and transverse momentum through `count` faces. Entry j of
// `left` and `right` are the states on both sides of face j: density, pressure, normal and
// transverse velocity.
void hllc(const Quad& left, const Quad& right, int64_t count, double gamma, const Quad& flux) {
  const double per_thermal = 1 / (gamma - 1);
#pragma GCC ivdep
  for (int64_t j = 0; j < count; ++j) {
    const double rho_l = left[0][j], p_l = left[1][j], v_l = left[2][j], w_l = left[3][j];
    const double rho_r = right[0][j], p_r = right[1][j], v_r = right[2][j], w_r = right[3][j];
    const double c_l = std::sqrt(gamma * p_l / rho_l);
    const double c_r = std::sqrt(gamma * p_r / rho_r);
    const double s_l = std::min(v_l - c_l, v_r - c_r);
    const double s_r = std::max(v_l + c_l, v_r + c_r);
    const double m_l = rho_l * (s_l - v_l);  // never positive
    const double m_r = rho_r * (s_r - v_r);  // never negative
    const double s_m = (p_r - p_l + m_l * v_l - m_r * v_r) / (m_l - m_r);

    // The side the contact moves away from; its outer wave counts only if it moves to us.
    const bool from_left = s_m >= 0;
    const double rho = from_left ? rho_l : rho_r;
    const double p = from_left ? p_l : p_r;
    const double v = from_left ? v_l : v_r;
    const double w = from_left ? w_l : w_r;
    const double s = from_left ? s_l : s_r;
    const double m = from_left ? m_l : m_r;
    const double s_near = from_left ? std::min(s_l, 0.0) : std::max(s_r, 0.0);

    const double energy = p * per_thermal + 0.5 * rho * (v * v + w * w);
    const double rho_star = m / (s - s_m);
    const double energy_star = rho_star * (energy / rho + (s_m - v) * (s_m + p / m));
    flux[0][j] = rho * v + s_near * (rho_star - rho);
    flux[1][j] = (energy + p) * v + s_near * (energy_star - energy);
    flux[2][j] = rho * v * v + p + s_near * (rho_star * s_m - rho * v);
    flux[3][j] = rho * v * w + s_near * (rho_star - rho) * w;
  }
}

Quad shifted(const Quad& rows, int64_t by) {
  return {rows[0] + by, rows[1] + by, rows[2] + by, rows[3] + by};
}

// x and y change places: normal and transverse velocities or momenta.
Quad turned(const Quad& rows) { return {rows[0], rows[1], rows[3], rows[2]}; }

}  // namespace

EulerSolver::EulerSolver(const EulerConfig& config) : config_(config) {
  check(config.x, "x");
  check(config.y, "y");
  const int64_t nx = config.x.cells, ny = config.y.cells;
  for (auto* field : {&state_.density, &state_.momentum_x, &state_.momentum_y, &state_.energy}) {
    field->assign(nx * ny, 0.0);
  }
  stride_ = ny + 2 * kGhosts;
  primitives_.assign(4 * (nx + 2 * kGhosts) * stride_, 0.0);
  scratch_.assign(8 * 4 * stride_, 0.0);
}

Gas EulerSolver::gas(int64_t i, int64_t j) const {
  const int64_t k = i * config_.y.cells + j;
  const double rho = state_.density[k];
  const double vx = state_.momentum_x[k] / rho, vy = state_.momentum_y[k] / rho;
  const double kinetic = 0.5 * rho * (vx * vx + vy * vy);
  return {rho, (config_.gamma - 1) * (state_.energy[k] - kinetic), vx, vy};
}

void EulerSolver::set_gas(int64_t i, int64_t j, const Gas& gas) {
  const int64_t k = i * config_.y.cells + j;
  const double speed2 = gas.velocity_x * gas.velocity_x + gas.velocity_y * gas.velocity_y;
  state_.density[k] = gas.density;
  state_.momentum_x[k] = gas.density * gas.velocity_x;
  state_.momentum_y[k] = gas.density * gas.velocity_y;
  state_.energy[k] = gas.pressure / (config_.gamma - 1) + 0.5 * gas.density * speed2;
}

double EulerSolver::stable_step() const {
  const double per_dx = 1 / config_.x.spacing(), per_dy = 1 / config_.y.spacing();
  const double gamma = config_.gamma;
  const int64_t size = std::ssize(state_.density);
  // Independent maxima, so that the comparison vectorises.
  constexpr int64_t kLanes = 8;
  std::array<double, kLanes> fastest{};
  const auto rate = [&](int64_t k) {
    const double volume = 1 / state_.density[k];
    const double mx = state_.momentum_x[k], my = state_.momentum_y[k];
    const double thermal = state_.energy[k] - 0.5 * (mx * mx + my * my) * volume;
    const double c = std::sqrt(gamma * (gamma - 1) * std::max(thermal, 0.0) * volume);
    return (std::abs(mx) * volume + c) * per_dx + (std::abs(my) * volume + c) * per_dy;
  };
  int64_t k = 0;
  for (; k + kLanes <= size; k += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      const double r = rate(k + lane);
      fastest[lane] = r > fastest[lane] ? r : fastest[lane];
    }
  }
  for (; k < size; ++k) fastest[0] = std::max(fastest[0], rate(k));
  return config_.courant / *std::max_element(fastest.begin(), fastest.end());
}

EulerSolver::Quad EulerSolver::primitive_row(int64_t i) {
  const int64_t plane = (config_.x.cells + 2 * kGhosts) * stride_;
  double* row = primitives_.data() + (i + kGhosts) * stride_ + kGhosts;
  return {row, row + plane, row + 2 * plane, row + 3 * plane};
}

EulerSolver::Quad EulerSolver::conserved_row(int64_t i) {
  const int64_t at = i * config_.y.cells;
  return {state_.density.data() + at, state_.energy.data() + at, state_.momentum_x.data() + at,
          state_.momentum_y.data() + at};
}

void EulerSolver::fill_primitives() {
  const int64_t ny = config_.y.cells;
  const double to_pressure = config_.gamma - 1;
  const double density_floor = config_.density_floor, pressure_floor = config_.pressure_floor;
  for (int64_t i = 0; i < config_.x.cells; ++i) {
    const Quad u = conserved_row(i);
    const Quad q = primitive_row(i);
    int64_t low = 0;
#pragma GCC ivdep
    for (int64_t j = 0; j < ny; ++j) {
      const double volume = 1 / u[0][j];
      const double vx = u[2][j] * volume, vy = u[3][j] * volume;
      const double p = to_pressure * (u[1][j] - 0.5 * (u[2][j] * vx + u[3][j] * vy));
      low += (u[0][j] < density_floor) | (p < pressure_floor) ? int64_t{1} : int64_t{0};
      q[kDensity][j] = u[0][j];
      q[kPressure][j] = p;
      q[kVelocityX][j] = vx;
      q[kVelocityY][j] = vy;
    }
    if (low > 0) repair_row(i);
  }
}

void EulerSolver::repair_row(int64_t i) {
  const Quad q = primitive_row(i);
  for (int64_t j = 0; j < config_.y.cells; ++j) {
    Gas cell{q[kDensity][j], q[kPressure][j], q[kVelocityX][j], q[kVelocityY][j]};
    // A cell that lost its mass has no velocity worth keeping.
    if (cell.density < config_.density_floor) cell = {config_.density_floor, cell.pressure, 0, 0};
    cell.pressure = std::max(cell.pressure, config_.pressure_floor);
    if (cell.density == q[kDensity][j] && cell.pressure == q[kPressure][j]) continue;
    ++repairs_.floored;
    set_gas(i, j, cell);
    q[kDensity][j] = cell.density;
    q[kPressure][j] = cell.pressure;
    q[kVelocityX][j] = cell.velocity_x;
    q[kVelocityY][j] = cell.velocity_y;
  }
}

void EulerSolver::fill_ghosts() {
  const int64_t nx = config_.x.cells, ny = config_.y.cells;
  const auto fill = [](EulerBoundary kind, bool at_low, int64_t cells, Field normal, auto place) {
    for (int64_t g = 0; g < kGhosts; ++g) {
      const int64_t ghost = at_low ? -1 - g : cells + g;
      const int64_t source = ghost_source(kind, at_low, g, cells);
      for (const Field f : {kDensity, kPressure, kVelocityX, kVelocityY}) {
        const double turn = kind == EulerBoundary::wall && f == normal ? -1 : 1;
        *place(f, ghost) = turn * *place(f, source);
      }
    }
  };
  for (int64_t i = 0; i < nx; ++i) {
    const auto place = [row = primitive_row(i)](Field f, int64_t j) { return row[f] + j; };
    fill(config_.y.at_low, true, ny, kVelocityY, place);
    fill(config_.y.at_high, false, ny, kVelocityY, place);
  }
  // Corners too: the row beside the grid is reconstructed along y as well.
  for (int64_t j = -kGhosts; j < ny + kGhosts; ++j) {
    const auto place = [&](Field f, int64_t i) { return primitive_row(i)[f] + j; };
    fill(config_.x.at_low, true, nx, kVelocityX, place);
    fill(config_.x.at_high, false, nx, kVelocityX, place);
  }
}

void EulerSolver::reconstruct_row(int64_t i, double dt, const Faces& faces) {
  const HalfStep half{0.5 * dt / config_.x.spacing(), 0.5 * dt / config_.y.spacing(), config_.gamma,
                      config_.density_floor, config_.pressure_floor};
  const auto kernel = config_.limiter ? reconstruct<true> : reconstruct<false>;
  const int64_t flattened =
      kernel(primitive_row(i - 1), primitive_row(i), primitive_row(i + 1), -1, config_.y.cells + 1,
             half, faces.low_x, faces.high_x, faces.low_y, faces.high_y);
  if (i >= 0 && i < config_.x.cells) repairs_.flattened += flattened;
}

void EulerSolver::update_row(int64_t i, double dt, const Quad& low_x, const Quad& high_x,
                             const Quad& flux_y) {
  const int64_t ny = config_.y.cells;
  const double per_x = dt / config_.x.spacing(), per_y = dt / config_.y.spacing();
  const Quad conserved = conserved_row(i);
  for (int f = 0; f < 4; ++f) {
    double* u = conserved[f];
    const double *fl = low_x[f], *fh = high_x[f], *g = flux_y[f];
#pragma GCC ivdep
    for (int64_t j = 0; j < ny; ++j) {
      u[j] -= per_x * (fh[j] - fl[j]) + per_y * (g[j + 1] - g[j]);
    }
  }
}

void EulerSolver::count_inflow(double weight, const Quad& flux, int64_t begin, int64_t end) {
  for (int64_t j = begin; j < end; ++j) {
    inflow_.mass += weight * flux[0][j];
    inflow_.energy += weight * flux[1][j];
    inflow_.momentum_x += weight * flux[2][j];
    inflow_.momentum_y += weight * flux[3][j];
  }
}

void EulerSolver::step(double dt) {
  fill_primitives();
  fill_ghosts();
  const int64_t nx = config_.x.cells, ny = config_.y.cells;
  const auto buffer = [&](int64_t k) -> Quad {
    double* row = scratch_.data() + 4 * k * stride_ + kGhosts;
    return {row, row + stride_, row + 2 * stride_, row + 3 * stride_};
  };
  Faces faces{buffer(0), buffer(1), buffer(2), buffer(3)};
  Quad behind = buffer(4);                           // high_x of the row before
  Quad flux_low = buffer(5), flux_high = buffer(6);  // through the x faces of one row of cells
  const Quad flux_y = buffer(7);
  const double through_x = dt * config_.y.spacing(), through_y = dt * config_.x.spacing();
  const bool open_x = config_.x.at_low != EulerBoundary::periodic;
  const bool open_y = config_.y.at_low != EulerBoundary::periodic;

  for (int64_t i = -1; i <= nx; ++i) {
    reconstruct_row(i, dt, faces);
    if (i >= 0) hllc(behind, faces.low_x, ny, config_.gamma, flux_high);
    if (open_x && i == 0) count_inflow(through_x, flux_high, 0, ny);
    if (open_x && i == nx) count_inflow(-through_x, flux_high, 0, ny);
    if (i >= 1) update_row(i - 1, dt, flux_low, flux_high, flux_y);
    if (i >= 0 && i < nx) {
      // Face j lies between cells j - 1 and j.
      hllc(turned(shifted(faces.high_y, -1)), turned(faces.low_y), ny + 1, config_.gamma,
           turned(flux_y));
      if (open_y) count_inflow(through_y, flux_y, 0, 1);
      if (open_y) count_inflow(-through_y, flux_y, ny, ny + 1);
    }
    std::swap(behind, faces.high_x);
    std::swap(flux_low, flux_high);
  }
}

EulerInflow EulerSolver::totals() const {
  const double area = cell_area();
  EulerInflow sum;
  for (size_t k = 0; k < state_.density.size(); ++k) {
    sum.mass += area * state_.density[k];
    sum.momentum_x += area * state_.momentum_x[k];
    sum.momentum_y += area * state_.momentum_y[k];
    sum.energy += area * state_.energy[k];
  }
  return sum;
}

}  // namespace roundtrip
