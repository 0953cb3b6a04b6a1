#pragma once

// The pointwise formulas of the MHD scheme: plain functions of a few numbers, without branches, so
// that the loops of mhd_solver.cpp over contiguous cells compile to vector instructions.

#include <cmath>

namespace roundtrip::mhd {

/// Primitive variables of one cell or face side; also their slopes.
struct Primitive {
  double rho, vx, vy;
  double p;  // total pressure: gas + B^2/2
  double bx, by;
};

/// Flux through a face, or any other vector of the conserved variables. `bt` belongs to the
/// magnetic field along the face: By through an x-face, Bx through a y-face.
struct Flux {
  double rho, mx, my, energy, bt;
};

/// An ideal gas: internal energy = p_gas / (gamma - 1).
struct GammaLaw {
  explicit GammaLaw(double value) : gamma(value), minus_one(value - 1), inverse(1 / (value - 1)) {}
  double gamma, minus_one, inverse;
};

// Comparisons, not std::fmin: these compile to one instruction and pass a NaN in `b` on.
inline double lesser(double a, double b) { return a < b ? a : b; }
inline double greater(double a, double b) { return a > b ? a : b; }

/// The larger of two speeds; NaN when either is one (0 * a is), so that an imaginary fast speed on
/// any side of a face reaches the cells and ends the attempt.
inline double faster(double a, double b) { return greater(a, b) + 0 * a; }

/// The difference of smaller size where both have one sign, else 0.
inline double minmod(double a, double b) {
  return greater(0.0, lesser(a, b)) + lesser(0.0, greater(a, b));
}

/// Change of f from a cell's centre to its face (slope times half the spacing). Limiting a central
/// difference by both one-sided ones leaves exactly the minmod of the one-sided ones, which needs
/// no division.
template <bool kLimited>
inline double half_slope(double lower, double here, double upper) {
  if constexpr (kLimited) return 0.5 * minmod(here - lower, upper - here);
  return 0.25 * (upper - lower);
}

template <bool kLimited>
inline Primitive half_slopes(const Primitive& lower, const Primitive& here,
                             const Primitive& upper) {
  return {half_slope<kLimited>(lower.rho, here.rho, upper.rho),
          half_slope<kLimited>(lower.vx, here.vx, upper.vx),
          half_slope<kLimited>(lower.vy, here.vy, upper.vy),
          half_slope<kLimited>(lower.p, here.p, upper.p),
          half_slope<kLimited>(lower.bx, here.bx, upper.bx),
          half_slope<kLimited>(lower.by, here.by, upper.by)};
}

inline Primitive operator+(const Primitive& a, const Primitive& b) {
  return {a.rho + b.rho, a.vx + b.vx, a.vy + b.vy, a.p + b.p, a.bx + b.bx, a.by + b.by};
}
inline Primitive operator-(const Primitive& a, const Primitive& b) {
  return {a.rho - b.rho, a.vx - b.vx, a.vy - b.vy, a.p - b.p, a.bx - b.bx, a.by - b.by};
}

/// x and y exchanged: the y-fluxes are the x-fluxes of the transposed state.
inline Primitive transposed(const Primitive& w) { return {w.rho, w.vy, w.vx, w.p, w.by, w.bx}; }
inline Flux transposed(const Flux& f) { return {f.rho, f.my, f.mx, f.energy, f.bt}; }

/// The state half a time step later, by the primitive form of the equations. `sx`, `sy` are half
/// slopes, `dt_dx` the time step over the spacing: dt/2 times a slope is dt_dx times its half
/// slope.
inline Primitive predict(const Primitive& w, const Primitive& sx, const Primitive& sy, double dt_dx,
                         const GammaLaw& gas) {
  const double inverse_rho = 1 / w.rho;
  const double bx2 = w.bx * w.bx, by2 = w.by * w.by, bxby = w.bx * w.by;
  const double stiffness = gas.gamma * (w.p - 0.5 * (bx2 + by2));  // gamma p_gas
  const double divergence_v = sx.vx + sy.vy;
  const double divergence_b = sx.bx + sy.by;
  const double b_dot_v = w.bx * w.vx + w.by * w.vy;

  const double rho = w.vx * sx.rho + w.vy * sy.rho + w.rho * divergence_v;
  const double tension_x = w.bx * (sx.bx + divergence_b) + w.by * sy.bx;
  const double tension_y = w.by * (sy.by + divergence_b) + w.bx * sx.by;
  const double vx = w.vx * sx.vx + w.vy * sy.vx + inverse_rho * (sx.p - tension_x);
  const double vy = w.vx * sx.vy + w.vy * sy.vy + inverse_rho * (sy.p - tension_y);
  const double p = w.vx * sx.p + w.vy * sy.p + stiffness * divergence_v + by2 * sx.vx +
                   bx2 * sy.vy - bxby * (sx.vy + sy.vx) + (gas.gamma - 2) * b_dot_v * divergence_b;
  const double bx = w.bx * sy.vy - w.by * sy.vx + w.vy * sy.bx - w.vx * sy.by;
  const double by = w.by * sx.vx - w.bx * sx.vy + w.vx * sx.by - w.vy * sx.bx;
  return {w.rho - dt_dx * rho, w.vx - dt_dx * vx, w.vy - dt_dx * vy,
          w.p - dt_dx * p,     w.bx - dt_dx * bx, w.by - dt_dx * by};
}

/// An upper bound of the fast magnetosonic speed in any direction: sqrt(c_sound^2 + c_alfven^2).
inline double fast_speed(double gas_pressure, double b2, double rho, const GammaLaw& gas) {
  return std::sqrt((gas.gamma * gas_pressure + b2) / rho);
}

/// Density, momentum, energy and transverse field of a face side.
inline Flux conserved(const Primitive& w, const GammaLaw& gas) {
  const double magnetic = 0.5 * (w.bx * w.bx + w.by * w.by);
  const double mx = w.rho * w.vx, my = w.rho * w.vy;
  return {w.rho, mx, my, gas.inverse * (w.p - magnetic) + 0.5 * (mx * w.vx + my * w.vy) + magnetic,
          w.by};
}

/// |v_x| + fast speed of a face side.
inline double signal_speed(const Primitive& w, const GammaLaw& gas) {
  const double b2 = w.bx * w.bx + w.by * w.by;
  return std::abs(w.vx) + fast_speed(w.p - 0.5 * b2, b2, w.rho, gas);
}

/// Rusanov's flux in x between the states below and above a face: the flux of the mean state less
/// a diffusion by the fastest signal on either side.
inline Flux rusanov(const Primitive& below, const Primitive& above, const GammaLaw& gas) {
  const Flux a = conserved(below, gas), b = conserved(above, gas);
  const double rho = 0.5 * (a.rho + b.rho), inverse_rho = 1 / rho;
  const double mx = 0.5 * (a.mx + b.mx), my = 0.5 * (a.my + b.my);
  const double energy = 0.5 * (a.energy + b.energy);
  const double bx = 0.5 * (below.bx + above.bx), by = 0.5 * (a.bt + b.bt);
  const double vx = mx * inverse_rho, vy = my * inverse_rho;
  const double magnetic = 0.5 * (bx * bx + by * by);
  const double p = gas.minus_one * (energy - 0.5 * (mx * vx + my * vy) - magnetic) + magnetic;
  const double d = 0.5 * faster(signal_speed(below, gas), signal_speed(above, gas));
  return {mx - d * (b.rho - a.rho), mx * vx + p - bx * bx - d * (b.mx - a.mx),
          mx * vy - bx * by - d * (b.my - a.my),
          (energy + p) * vx - bx * (bx * vx + by * vy) - d * (b.energy - a.energy),
          by * vx - bx * vy - d * (b.bt - a.bt)};
}

}  // namespace roundtrip::mhd
