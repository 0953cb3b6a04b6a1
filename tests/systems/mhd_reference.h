#pragma once

// The MHD scheme written down a second time, plainly: one array per quantity, one pass per formula,
// modular indices, the limiter with its divisions. It shares no code with roundtrip/systems; tests
// compare the solver with it and the benchmark measures against it.

#include <algorithm>
#include <cmath>
#include <vector>

#include "roundtrip/systems/mhd_solver.h"

namespace roundtrip {

class MhdReference {
 public:
  using Array = std::vector<double>;

  MhdReference(const MhdGrid& grid, const MhdScheme& scheme, const MhdState& initial)
      : nx_(grid.nx), ny_(grid.ny), dx_(grid.spacing), scheme_(scheme) {
    rho_ = initial.density;
    vx_ = initial.velocity_x;
    vy_ = initial.velocity_y;
    bx_ = initial.face_field_x;
    by_ = initial.face_field_y;
    average_field();
    for (auto* array : {&mass_, &momx_, &momy_, &energy_, &p_}) array->resize(rho_.size());
    for (size_t c = 0; c < rho_.size(); ++c) {
      const double half_b2 = (bcx_[c] * bcx_[c] + bcy_[c] * bcy_[c]) / 2;
      mass_[c] = rho_[c];
      momx_[c] = rho_[c] * vx_[c];
      momy_[c] = rho_[c] * vy_[c];
      energy_[c] = initial.gas_pressure[c] / (scheme.gamma - 1) +
                   rho_[c] * (vx_[c] * vx_[c] + vy_[c] * vy_[c]) / 2 + half_b2;
    }
    primitives();
  }

  double stable_step() const {
    double dt = 1e300;
    for (size_t c = 0; c < rho_.size(); ++c) {
      const double b2 = bcx_[c] * bcx_[c] + bcy_[c] * bcy_[c];
      const double sound2 = scheme_.gamma * (p_[c] - b2 / 2) / rho_[c];
      const double fast = std::sqrt(sound2 + b2 / rho_[c]);
      dt = std::min(dt, scheme_.courant * dx_ / (fast + std::hypot(vx_[c], vy_[c])));
    }
    return dt;
  }

  void step(double dt);

  const Array& density() const { return rho_; }
  const Array& total_pressure() const { return p_; }
  const Array& velocity_x() const { return vx_; }
  const Array& velocity_y() const { return vy_; }
  const Array& field_x() const { return bcx_; }
  const Array& field_y() const { return bcy_; }

 private:
  struct Gradient {
    Array x, y;
  };
  struct Fluxes {
    Array mass, normal, transverse, energy, field;
  };

  size_t at(int64_t i, int64_t j) const {
    return static_cast<size_t>(((i + nx_) % nx_) * ny_ + (j + ny_) % ny_);
  }
  Array made(auto&& formula) const {
    Array out(static_cast<size_t>(nx_ * ny_));
    for (int64_t i = 0; i < nx_; ++i) {
      for (int64_t j = 0; j < ny_; ++j) out[at(i, j)] = formula(i, j);
    }
    return out;
  }

  void average_field() {
    bcx_ = made([&](int64_t i, int64_t j) { return (bx_[at(i - 1, j)] + bx_[at(i, j)]) / 2; });
    bcy_ = made([&](int64_t i, int64_t j) { return (by_[at(i, j - 1)] + by_[at(i, j)]) / 2; });
  }
  void primitives() {
    average_field();
    for (size_t c = 0; c < rho_.size(); ++c) {
      const double half_b2 = (bcx_[c] * bcx_[c] + bcy_[c] * bcy_[c]) / 2;
      rho_[c] = mass_[c];
      vx_[c] = momx_[c] / mass_[c];
      vy_[c] = momy_[c] / mass_[c];
      const double kinetic = mass_[c] * (vx_[c] * vx_[c] + vy_[c] * vy_[c]) / 2;
      p_[c] = (energy_[c] - kinetic - half_b2) * (scheme_.gamma - 1) + half_b2;
    }
  }

  double limited(double g, double f_low, double f, double f_high) const {
    if (!scheme_.limiter) return g;
    const auto factor = [&](double difference) {
      return std::max(0.0, std::min(1.0, difference / dx_ / (g == 0 ? 1e-8 : g)));
    };
    g *= factor(f - f_low);
    g *= factor(f_high - f);
    return g;
  }
  Gradient gradient(const Array& f) const {
    return {made([&](int64_t i, int64_t j) {
              const double low = f[at(i - 1, j)], high = f[at(i + 1, j)];
              return limited((high - low) / (2 * dx_), low, f[at(i, j)], high);
            }),
            made([&](int64_t i, int64_t j) {
              const double low = f[at(i, j - 1)], high = f[at(i, j + 1)];
              return limited((high - low) / (2 * dx_), low, f[at(i, j)], high);
            })};
  }

  // Fluxes along one axis; "n" is the component along it, "t" the other. Low and high sides.
  Fluxes rusanov(const Array rho[2], const Array vn[2], const Array vt[2], const Array p[2],
                 const Array bn[2], const Array bt[2]) const;

  int64_t nx_, ny_;
  double dx_;
  MhdScheme scheme_;
  Array mass_, momx_, momy_, energy_, bx_, by_;
  Array rho_, vx_, vy_, p_, bcx_, bcy_;
};

inline MhdReference::Fluxes MhdReference::rusanov(const Array rho[2], const Array vn[2],
                                                  const Array vt[2], const Array p[2],
                                                  const Array bn[2], const Array bt[2]) const {
  const double gamma = scheme_.gamma;
  Fluxes out;
  for (auto* array : {&out.mass, &out.normal, &out.transverse, &out.energy, &out.field}) {
    array->resize(rho[0].size());
  }
  for (size_t c = 0; c < rho[0].size(); ++c) {
    double energy[2], speed[2];
    for (int side = 0; side < 2; ++side) {
      const double r = rho[side][c], u = vn[side][c], v = vt[side][c];
      const double b2 = bn[side][c] * bn[side][c] + bt[side][c] * bt[side][c];
      const double gas = p[side][c] - b2 / 2;
      energy[side] = gas / (gamma - 1) + r * (u * u + v * v) / 2 + b2 / 2;
      speed[side] = std::sqrt(gamma * gas / r + b2 / r) + std::abs(u);
    }
    const auto mean = [](double a, double b) { return (a + b) / 2; };
    const double r = mean(rho[0][c], rho[1][c]);
    const double mn = mean(rho[0][c] * vn[0][c], rho[1][c] * vn[1][c]);
    const double mt = mean(rho[0][c] * vt[0][c], rho[1][c] * vt[1][c]);
    const double e = mean(energy[0], energy[1]);
    const double n = mean(bn[0][c], bn[1][c]), t = mean(bt[0][c], bt[1][c]);
    const double half_b2 = (n * n + t * t) / 2;
    const double total = (gamma - 1) * (e - (mn * mn + mt * mt) / (2 * r) - half_b2) + half_b2;
    const double c2 = std::max(speed[0], speed[1]) / 2;
    out.mass[c] = mn - c2 * (rho[1][c] - rho[0][c]);
    out.normal[c] =
        mn * mn / r + total - n * n - c2 * (rho[1][c] * vn[1][c] - rho[0][c] * vn[0][c]);
    out.transverse[c] = mn * mt / r - n * t - c2 * (rho[1][c] * vt[1][c] - rho[0][c] * vt[0][c]);
    out.energy[c] = (e + total) * mn / r - n * (n * mn + t * mt) / r - c2 * (energy[1] - energy[0]);
    out.field[c] = (t * mn - n * mt) / r - c2 * (bt[1][c] - bt[0][c]);
  }
  return out;
}

inline void MhdReference::step(double dt) {
  const Array* const now[6] = {&rho_, &vx_, &vy_, &p_, &bcx_, &bcy_};
  Gradient g[6];
  for (int q = 0; q < 6; ++q) g[q] = gradient(*now[q]);
  const auto& [gr, gu, gv, gp, gb, gc] = g;

  Array half[6] = {rho_, vx_, vy_, p_, bcx_, bcy_};
  for (size_t c = 0; c < rho_.size(); ++c) {
    const double r = rho_[c], u = vx_[c], v = vy_[c], bx = bcx_[c], by = bcy_[c];
    const double gas = p_[c] - (bx * bx + by * by) / 2, gamma = scheme_.gamma, h = dt / 2;
    half[0][c] -= h * (u * gr.x[c] + r * gu.x[c] + v * gr.y[c] + r * gv.y[c]);
    half[1][c] -= h * (u * gu.x[c] + v * gu.y[c] +
                       (gp.x[c] - 2 * bx * gb.x[c] - by * gb.y[c] - bx * gc.y[c]) / r);
    half[2][c] -= h * (u * gv.x[c] + v * gv.y[c] +
                       (gp.y[c] - 2 * by * gc.y[c] - bx * gc.x[c] - by * gb.x[c]) / r);
    half[3][c] -= h * ((gamma * gas + by * by) * gu.x[c] - bx * by * gv.x[c] + u * gp.x[c] +
                       (gamma - 2) * (bx * u + by * v) * gb.x[c] - by * bx * gu.y[c] +
                       (gamma * gas + bx * bx) * gv.y[c] + v * gp.y[c] +
                       (gamma - 2) * (bx * u + by * v) * gc.y[c]);
    half[4][c] -= h * (-by * gu.y[c] + bx * gv.y[c] + v * gb.y[c] - u * gc.y[c]);
    half[5][c] -= h * (by * gu.x[c] - bx * gv.x[c] - v * gb.x[c] + u * gc.x[c]);
  }

  // Both sides of the face above each cell, along x and along y.
  Array x_side[6][2], y_side[6][2];
  for (int q = 0; q < 6; ++q) {
    const auto side = [&](const Array& slope, double sign, int64_t di, int64_t dj) {
      return made([&](int64_t i, int64_t j) {
        const size_t c = at(i + di, j + dj);
        return half[q][c] + sign * slope[c] * dx_ / 2;
      });
    };
    x_side[q][0] = side(g[q].x, 1, 0, 0), x_side[q][1] = side(g[q].x, -1, 1, 0);
    y_side[q][0] = side(g[q].y, 1, 0, 0), y_side[q][1] = side(g[q].y, -1, 0, 1);
  }
  const Fluxes f = rusanov(x_side[0], x_side[1], x_side[2], x_side[3], x_side[4], x_side[5]);
  const Fluxes k = rusanov(y_side[0], y_side[2], y_side[1], y_side[3], y_side[5], y_side[4]);

  const auto change = [&](Array& u, const Array& along_x, const Array& along_y) {
    const Array sum = made([&](int64_t i, int64_t j) {
      return along_x[at(i, j)] - along_x[at(i - 1, j)] + along_y[at(i, j)] - along_y[at(i, j - 1)];
    });
    for (size_t c = 0; c < u.size(); ++c) u[c] -= dt / dx_ * sum[c];
  };
  change(mass_, f.mass, k.mass);
  change(momx_, f.normal, k.transverse);
  change(momy_, f.transverse, k.normal);
  change(energy_, f.energy, k.energy);

  const Array ez = made([&](int64_t i, int64_t j) {
    return (k.field[at(i, j)] + k.field[at(i + 1, j)] - f.field[at(i, j)] - f.field[at(i, j + 1)]) /
           4;
  });
  const Array curl_x = made([&](int64_t i, int64_t j) { return ez[at(i, j)] - ez[at(i, j - 1)]; });
  const Array curl_y = made([&](int64_t i, int64_t j) { return ez[at(i, j)] - ez[at(i - 1, j)]; });
  for (size_t c = 0; c < ez.size(); ++c) {
    bx_[c] -= dt / dx_ * curl_x[c];
    by_[c] += dt / dx_ * curl_y[c];
  }
  primitives();
}

}  // namespace roundtrip
