// The radiative layer per cell and step on one core, as ratios to two yardsticks measured in the
// same run: a plain version of the same scheme (one loop over cells, written as in a textbook), and
// the divisions and square roots alone, which no vectorised version can avoid.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include <benchmark/benchmark.h>

#include "roundtrip/systems/radiative_layer.h"

namespace roundtrip {
namespace {

// MUSCL-Hancock with HLLC on a periodic grid, array of cells, nothing hoisted or vectorised.
class PlainSolver {
 public:
  using Cell = std::array<double, 4>;  // density, pressure, vx, vy

  PlainSolver(int64_t nx, int64_t ny) : nx_(nx), ny_(ny), cells_(nx * ny), next_(nx * ny) {
    for (int64_t i = 0; i < nx; ++i) {
      for (int64_t j = 0; j < ny; ++j) {
        const double wave = 0.1 * std::sin(6.28 * static_cast<double>(i + j) / 32);
        at(cells_, i, j) = {1 + wave, 1 - wave, wave, -wave};
      }
    }
  }

  void step(double dt_per_dx) {
    for (int64_t i = 0; i < nx_; ++i) {
      for (int64_t j = 0; j < ny_; ++j) {
        Cell u = conserved(at(cells_, i, j));
        for (int axis = 0; axis < 2; ++axis) {
          const int64_t di = axis == 0, dj = axis == 1;
          const Cell low = flux(i - di, j - dj, axis, dt_per_dx);
          const Cell high = flux(i, j, axis, dt_per_dx);
          for (int f = 0; f < 4; ++f) u[f] -= dt_per_dx * (high[f] - low[f]);
        }
        at(next_, i, j) = primitive(u);
      }
    }
    std::swap(cells_, next_);
  }

 private:
  static constexpr double kGamma = 5.0 / 3.0;

  Cell& at(std::vector<Cell>& grid, int64_t i, int64_t j) const {
    return grid[(i + nx_) % nx_ * ny_ + (j + ny_) % ny_];
  }

  static Cell conserved(const Cell& q) {
    const double kinetic = 0.5 * q[0] * (q[2] * q[2] + q[3] * q[3]);
    return {q[0], q[1] / (kGamma - 1) + kinetic, q[0] * q[2], q[0] * q[3]};
  }
  static Cell primitive(const Cell& u) {
    const double kinetic = 0.5 * (u[2] * u[2] + u[3] * u[3]) / u[0];
    return {u[0], (kGamma - 1) * (u[1] - kinetic), u[2] / u[0], u[3] / u[0]};
  }

  Cell slope(int64_t i, int64_t j, int axis) {
    const int64_t di = axis == 0, dj = axis == 1;
    Cell result;
    for (int f = 0; f < 4; ++f) {
      const double a = at(cells_, i, j)[f] - at(cells_, i - di, j - dj)[f];
      const double b = at(cells_, i + di, j + dj)[f] - at(cells_, i, j)[f];
      const double size = std::min({2 * std::abs(a), 2 * std::abs(b), 0.5 * std::abs(a + b)});
      result[f] = a * b > 0 ? std::copysign(size, a) : 0.0;
    }
    return result;
  }

  // The cell at its face on one side of `axis`, half a step ahead.
  Cell face(int64_t i, int64_t j, int axis, double side, double r) {
    const Cell q = at(cells_, i, j), sx = slope(i, j, 0), sy = slope(i, j, 1);
    const Cell& s = axis == 0 ? sx : sy;
    const double h = 0.5 * r, spread = sx[2] + sy[3];
    return {q[0] - h * (q[2] * sx[0] + q[3] * sy[0] + q[0] * spread) + 0.5 * side * s[0],
            q[1] - h * (q[2] * sx[1] + q[3] * sy[1] + kGamma * q[1] * spread) + 0.5 * side * s[1],
            q[2] - h * (q[2] * sx[2] + q[3] * sy[2] + sx[1] / q[0]) + 0.5 * side * s[2],
            q[3] - h * (q[2] * sx[3] + q[3] * sy[3] + sy[1] / q[0]) + 0.5 * side * s[3]};
  }

  Cell flux(int64_t i, int64_t j, int axis, double r) {
    const Cell l = face(i, j, axis, 1, r), h = face(i + (axis == 0), j + (axis == 1), axis, -1, r);
    const int n = 2 + axis;
    const double cl = std::sqrt(kGamma * l[1] / l[0]), ch = std::sqrt(kGamma * h[1] / h[0]);
    const double sl = std::min(l[n] - cl, h[n] - ch), sh = std::max(l[n] + cl, h[n] + ch);
    const double ml = l[0] * (sl - l[n]), mh = h[0] * (sh - h[n]);
    const double sm = (h[1] - l[1] + ml * l[n] - mh * h[n]) / (ml - mh);
    const Cell& q = sm >= 0 ? l : h;
    const double s = sm >= 0 ? sl : sh, near = sm >= 0 ? std::min(sl, 0.0) : std::max(sh, 0.0);
    const Cell u = conserved(q);
    Cell star = u;
    star[0] = q[0] * (s - q[n]) / (s - sm);
    star[1] = star[0] * (u[1] / q[0] + (sm - q[n]) * (sm + q[1] / (q[0] * (s - q[n]))));
    for (int v = 2; v < 4; ++v) star[v] = star[0] * (v == n ? sm : q[v]);
    Cell f;
    for (int k = 0; k < 4; ++k) f[k] = q[n] * u[k] + near * (star[k] - u[k]);
    f[1] += q[1] * q[n];
    f[n] += q[1];
    return f;
  }

  int64_t nx_, ny_;
  std::vector<Cell> cells_, next_;
};

// Least time of several runs, in nanoseconds per cell: the machine may be busy.
double least(double cells, const std::function<void()>& work) {
  double best = 1e30;
  for (int k = 0; k < 7; ++k) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / cells);
  }
  return best;
}

// What one cell and step cannot do without: per direction two square roots and five divisions in
// the flux, and three more divisions outside; all vectorised, from and to the first-level cache.
double arithmetic_limit() {
  constexpr int64_t kSize = 1024;
  std::vector<double> a(kSize, 1.5), b(kSize, 2.5);
  return least(200.0 * kSize, [&] {
    for (int repeat = 0; repeat < 200; ++repeat) {
      double *x = a.data(), *y = b.data();
#pragma GCC ivdep
      for (int64_t k = 0; k < kSize; ++k) {
        double p = x[k], q = y[k];
        double sum = 0;
        for (int d = 0; d < 13; ++d) sum += p / (q + d);
        for (int d = 0; d < 4; ++d) sum += std::sqrt(p + d);
        y[k] = 2 + 1e-3 * sum;
      }
      benchmark::DoNotOptimize(y);
    }
  });
}

void report(int64_t resolution) {
  RadiativeLayerConfig config;
  config.resolution = resolution;
  const double cells = 3.0 * static_cast<double>(resolution * resolution);
  RadiativeLayer layer(config, 4, draws_for({1, "bench", 0}, "radiative_layer.noise"));
  layer.advance(8);  // rolls have formed and mixed gas is about
  EulerSolver gas = layer.solver();
  const double dt = gas.stable_step();
  CoolingConfig curve;
  curve.width = config.cooling_width;
  curve.cooling_time = config.cooling_times[4];
  const RadiativeCooling cooling(curve);
  const double gas_ns = least(4 * cells, [&] {
    for (int k = 0; k < 4; ++k) gas.step(dt);
  });
  const double bound_ns = least(4 * cells, [&] {
    for (int k = 0; k < 4; ++k) benchmark::DoNotOptimize(gas.stable_step());
  });
  const double cooling_ns = least(4 * cells, [&] {
    for (int k = 0; k < 4; ++k) benchmark::DoNotOptimize(cooling.apply(gas.state(), dt));
  });
  PlainSolver plain(resolution, 3 * resolution);
  const double plain_ns = least(cells, [&] { plain.step(0.2); });
  const double limit_ns = arithmetic_limit();
  const double whole = gas_ns + bound_ns + cooling_ns;
  printf("%4ld x %4ld: %5.1f ns per cell and step (gas %.1f, step size %.1f, cooling %.1f)\n",
         static_cast<long>(resolution), static_cast<long>(3 * resolution), whole, gas_ns, bound_ns,
         cooling_ns);
  printf("             gas against the plain version (%.0f ns): %.1f times as fast\n", plain_ns,
         plain_ns / gas_ns);
  printf("             gas against its divisions and roots alone (%.1f ns): %.1f times the limit\n",
         limit_ns, gas_ns / limit_ns);
}

}  // namespace
}  // namespace roundtrip

int main() {
  roundtrip::report(32);
  roundtrip::report(128);
}
