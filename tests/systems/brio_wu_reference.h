#pragma once

// A one-dimensional MHD scheme of another family, for the Brio-Wu tube: van Leer slopes, HLL flux
// with exact fast speeds, two-stage Runge-Kutta, open ends. On a fine grid it stands in for the
// exact solution.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace roundtrip {

/// Brio & Wu 1988: gamma = 2, Bx = 0.75, at rest, a jump from (rho, p, By) = (1, 1, 1) to
/// (0.125, 0.1, -1).
struct BrioWu {
  static constexpr double kGamma = 2, kBx = 0.75, kTime = 0.1;
  struct Side {
    double rho, p, by;
  };
  static constexpr Side kLeft = {1, 1, 1}, kRight = {0.125, 0.1, -1};

  /// rho, vx, vy, gas pressure, By
  using Primitive = std::array<double, 5>;
  /// rho, momentum x and y, energy, By
  using Conserved = std::array<double, 5>;

  static Conserved to_conserved(const Primitive& w) {
    const auto [rho, vx, vy, p, by] = w;
    return {rho, rho * vx, rho * vy,
            p / (kGamma - 1) + rho * (vx * vx + vy * vy) / 2 + (kBx * kBx + by * by) / 2, by};
  }
  static Primitive to_primitive(const Conserved& u) {
    const auto [rho, mx, my, energy, by] = u;
    const double kinetic = (mx * mx + my * my) / rho / 2, magnetic = (kBx * kBx + by * by) / 2;
    return {rho, mx / rho, my / rho, (kGamma - 1) * (energy - kinetic - magnetic), by};
  }
  static Conserved flux(const Primitive& w) {
    const auto [rho, vx, vy, p, by] = w;
    const double total = p + (kBx * kBx + by * by) / 2, energy = to_conserved(w)[3];
    return {rho * vx, rho * vx * vx + total - kBx * kBx, rho * vx * vy - kBx * by,
            (energy + total) * vx - kBx * (kBx * vx + by * vy), by * vx - kBx * vy};
  }
  static double fast_speed(const Primitive& w) {
    const double a2 = kGamma * w[3] / w[0], n2 = kBx * kBx / w[0], b2 = n2 + w[4] * w[4] / w[0];
    return std::sqrt((a2 + b2 + std::sqrt((a2 + b2) * (a2 + b2) - 4 * a2 * n2)) / 2);
  }

  /// Primitive variables of n cells on [0, 1] at t = 0.1, the jump at 1/2.
  static std::vector<Primitive> solve(int n);

 private:
  static Conserved hll(const Primitive& left, const Primitive& right) {
    const double low = std::min({left[1] - fast_speed(left), right[1] - fast_speed(right), 0.0});
    const double high = std::max({left[1] + fast_speed(left), right[1] + fast_speed(right), 0.0});
    const Conserved fl = flux(left), fr = flux(right), ul = to_conserved(left),
                    ur = to_conserved(right);
    Conserved out;
    for (int q = 0; q < 5; ++q) {
      out[q] = (high * fl[q] - low * fr[q] + low * high * (ur[q] - ul[q])) / (high - low);
    }
    return out;
  }
  static std::vector<Conserved> rate(const std::vector<Conserved>& u, double dx) {
    const int n = static_cast<int>(u.size());
    std::vector<Primitive> w(n), slope(n, Primitive{});
    for (int i = 0; i < n; ++i) w[i] = to_primitive(u[i]);
    for (int i = 1; i + 1 < n; ++i) {
      for (int q = 0; q < 5; ++q) {
        const double a = w[i][q] - w[i - 1][q], b = w[i + 1][q] - w[i][q];
        slope[i][q] = a * b > 0 ? 2 * a * b / (a + b) : 0.0;
      }
    }
    std::vector<Conserved> out(n, Conserved{});
    for (int i = 0; i + 1 < n; ++i) {
      Primitive left = w[i], right = w[i + 1];
      for (int q = 0; q < 5; ++q) left[q] += slope[i][q] / 2, right[q] -= slope[i + 1][q] / 2;
      const Conserved f = hll(left, right);
      for (int q = 0; q < 5; ++q) out[i][q] -= f[q] / dx, out[i + 1][q] += f[q] / dx;
    }
    out.front() = out.back() = Conserved{};  // the waves have not come there
    return out;
  }
};

inline std::vector<BrioWu::Primitive> BrioWu::solve(int n) {
  const double dx = 1.0 / n;
  std::vector<Conserved> u(n);
  for (int i = 0; i < n; ++i) {
    const Side& side = i < n / 2 ? kLeft : kRight;
    u[i] = to_conserved({side.rho, 0, 0, side.p, side.by});
  }
  double time = 0;
  while (time < kTime) {
    double speed = 0;
    for (const Conserved& cell : u) {
      const Primitive w = to_primitive(cell);
      speed = std::max(speed, std::abs(w[1]) + fast_speed(w));
    }
    const double dt = std::min(0.5 * dx / speed, kTime - time);
    const auto first = rate(u, dx);
    std::vector<Conserved> middle = u;
    for (int i = 0; i < n; ++i) {
      for (int q = 0; q < 5; ++q) middle[i][q] += dt * first[i][q];
    }
    const auto second = rate(middle, dx);
    for (int i = 0; i < n; ++i) {
      for (int q = 0; q < 5; ++q) u[i][q] += dt / 2 * (first[i][q] + second[i][q]);
    }
    time = kTime - time - dt < 1e-14 ? kTime : time + dt;
  }
  std::vector<Primitive> w(n);
  for (int i = 0; i < n; ++i) w[i] = to_primitive(u[i]);
  return w;
}

}  // namespace roundtrip
