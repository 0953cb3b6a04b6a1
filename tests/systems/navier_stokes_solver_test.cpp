// Exact answers where the equations have them, and a plain implementation of the same scheme that
// shares nothing with the fast one: exact convolution over modes.
#include "roundtrip/systems/navier_stokes_solver.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "roundtrip/systems/gaussian_random_field.h"
#include "tests/systems/spectra.h"

namespace roundtrip {
namespace {

Spectrum spectrum_of(int64_t n, const std::function<double(double, double)>& f) {
  Field field;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      field.push_back(f(static_cast<double>(i) / static_cast<double>(n),
                        static_cast<double>(j) / static_cast<double>(n)));
    }
  }
  Spectrum spectrum;
  RealFft2d(n).to_spectrum(field, spectrum);
  return spectrum;
}

// Sum over all modes of weight(|2 pi k|^2) Re(a_k conj b_k): an integral over the torus.
double integral(const Spectrum& a, const Spectrum& b, int64_t n,
                const std::function<double(double)>& weight) {
  double sum = 0;
  for (int64_t row = 0; row < n; ++row) {
    for (int64_t ky = 0; ky <= n / 2; ++ky) {
      const double kx = static_cast<double>(wavenumber(row, n));
      const double k2 = kTwoPi * kTwoPi * (kx * kx + static_cast<double>(ky * ky));
      if (k2 == 0) continue;
      const size_t i = static_cast<size_t>(row * (n / 2 + 1) + ky);
      const double pair = ky == 0 ? 1 : 2;  // the stored half stands for both
      sum += pair * weight(k2) * std::real(a[i] * std::conj(b[i]));
    }
  }
  return sum;
}

double energy(const Spectrum& w, int64_t n) {
  return 0.5 * integral(w, w, n, [](double k2) { return 1 / k2; });
}
double enstrophy(const Spectrum& w, int64_t n) {
  return 0.5 * integral(w, w, n, [](double) { return 1.0; });
}

// --- Exact solutions -------------------------------------------------------------------------

TEST(NavierStokesSolver, TaylorGreenVortexDecaysExactly) {
  constexpr int64_t n = 32;
  constexpr double viscosity = 1e-2, duration = 1.5;
  const Spectrum start = spectrum_of(
      n, [](double x, double y) { return 2 * std::cos(kTwoPi * x) * std::cos(kTwoPi * y); });
  const auto solver = make_ifrk4({n, viscosity, {}}, {.dt = 0.05});
  solver->set(start);
  EXPECT_EQ(solver->advance(duration).steps, 30);
  Spectrum exact = start;
  const double decay = std::exp(-viscosity * 2 * kTwoPi * kTwoPi * duration);
  for (Complex& c : exact) c *= decay;
  // Round-off of 30 steps on values of order one.
  EXPECT_LT(largest_difference(solver->vorticity(), exact), 1e-14);
}

// All modes of one |k|: w is a multiple of psi, so u . grad w = J(psi, w) vanishes though every
// product u w_x, v w_y is large.
TEST(NavierStokesSolver, ModesOfOneWavelengthDecayTogether) {
  constexpr int64_t n = 48;
  constexpr double viscosity = 1e-3, duration = 1;
  const Spectrum start = spectrum_of(n, [](double x, double y) {
    return std::sin(kTwoPi * 5 * x) + 2 * std::cos(kTwoPi * (3 * x + 4 * y)) +
           3 * std::sin(kTwoPi * (4 * x - 3 * y)) + std::cos(kTwoPi * 5 * y);
  });
  const auto solver = make_ifrk4({n, viscosity, {}}, {});
  solver->set(start);
  EXPECT_GT(solver->advance(duration).steps, 10);
  Spectrum exact = start;
  for (Complex& c : exact) c *= std::exp(-viscosity * 25 * kTwoPi * kTwoPi * duration);
  EXPECT_LT(largest_difference(solver->vorticity(), exact), 1e-13);
}

// A steady flow kept up by f = u . grad w - nu Lap w, so that advection, diffusion and forcing
// balance: psi = a (sin 2 pi x + b cos 4 pi y), its derivatives written out by hand.
TEST(NavierStokesSolver, ForcedSteadyFlowStaysToFourthOrder) {
  constexpr int64_t n = 24;
  constexpr double viscosity = 0.02, b = 0.3, scale = 0.05;
  const auto w = [&](double x, double y) {
    return scale * kTwoPi * kTwoPi * (std::sin(kTwoPi * x) + 4 * b * std::cos(2 * kTwoPi * y));
  };
  const auto force = [&](double x, double y) {
    const double q = kTwoPi, q2 = q * q;
    const double psi_x = scale * q * std::cos(q * x);
    const double psi_y = -scale * 2 * q * b * std::sin(2 * q * y);
    const double w_x = scale * q2 * q * std::cos(q * x);
    const double w_y = -scale * 8 * q2 * q * b * std::sin(2 * q * y);
    const double lap_w = -scale * q2 * q2 * (std::sin(q * x) + 16 * b * std::cos(2 * q * y));
    return psi_y * w_x - psi_x * w_y - viscosity * lap_w;
  };
  const Spectrum start = spectrum_of(n, w);
  const Spectrum forcing = spectrum_of(n, force);
  // Without the forcing the flow would move by order one: the balance is a real one.
  ASSERT_GT(largest_difference(forcing, Spectrum(forcing.size())), 0.5);
  const auto drift = [&](double dt) {
    const auto solver = make_ifrk4({n, viscosity, forcing}, {.dt = dt});
    solver->set(start);
    solver->advance(1);
    return largest_difference(solver->vorticity(), start);
  };
  const double coarse = drift(0.02), fine = drift(0.01);
  EXPECT_LT(fine, 1e-6);
  EXPECT_GT(std::log2(coarse / fine), 3.9);
}

// --- Order -------------------------------------------------------------------------------------

TEST(NavierStokesSolver, FourthOrderInTime) {
  constexpr int64_t n = 32;
  const auto solve = [&](double dt) {
    const auto solver = make_ifrk4({n, 1e-3, diagonal_forcing(n, 0.1)}, {.dt = dt});
    solver->set(random_vorticity(n, 8));
    solver->advance(1);
    return solver->vorticity();
  };
  const Spectrum a = solve(1.0 / 40), b = solve(1.0 / 80), c = solve(1.0 / 160);
  const double order = std::log2(largest_difference(a, b) / largest_difference(b, c));
  RecordProperty("order", std::to_string(order));
  EXPECT_GT(order, 3.9);
  EXPECT_LT(order, 4.3);  // more would mean that it is not the time error that we see
}

// --- Budgets ----------------------------------------------------------------------------------

// dE/dt = <psi f> - 2 nu Z and dZ/dt = <w f> - 2 nu P, with E = <|u|^2>/2, Z = <w^2>/2,
// P = <|grad w|^2>/2, integrated over the run by Simpson's rule; its error and the scheme's are
// both fourth order, which the two tolerances and the halved step show.
TEST(NavierStokesSolver, EnergyAndEnstrophyBudgetsClose) {
  constexpr int64_t n = 64;
  constexpr double viscosity = 1e-3;
  const Spectrum forcing = diagonal_forcing(n, 0.1);
  struct Rates {
    double energy, enstrophy;
  };
  const auto rates = [&](const Spectrum& w) {
    const double palinstrophy = 0.5 * integral(w, w, n, [](double k2) { return k2; });
    const double power = integral(w, forcing, n, [](double k2) { return 1 / k2; });
    const double input = integral(w, forcing, n, [](double) { return 1.0; });
    return Rates{power - 2 * viscosity * enstrophy(w, n), input - 2 * viscosity * palinstrophy};
  };
  const auto imbalance = [&](double dt) {
    const auto solver = make_ifrk4({n, viscosity, forcing}, {.dt = dt});
    solver->set(random_vorticity(n, 4));
    const Spectrum start = solver->vorticity();
    Rates total{};
    const int64_t steps = std::lround(2 / dt);
    for (int64_t i = 0; i <= steps; ++i) {
      if (i > 0) solver->advance(dt);
      const double weight = dt / 3 * (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2);
      const Rates rate = rates(solver->vorticity());
      total.energy += weight * rate.energy;
      total.enstrophy += weight * rate.enstrophy;
    }
    const Spectrum end = solver->vorticity();
    return Rates{
        std::abs(energy(end, n) - energy(start, n) - total.energy) / energy(start, n),
        std::abs(enstrophy(end, n) - enstrophy(start, n) - total.enstrophy) / enstrophy(start, n)};
  };
  const Rates coarse = imbalance(0.02), fine = imbalance(0.01);
  EXPECT_LT(fine.energy, 1e-7);
  EXPECT_LT(fine.enstrophy, 1e-7);
  EXPECT_GT(std::log2(coarse.energy / fine.energy), 3.5);
  EXPECT_GT(std::log2(coarse.enstrophy / fine.enstrophy), 3.5);
}

// Without viscosity and forcing the truncated equations conserve both exactly; Runge-Kutta changes
// quadratic invariants at one order above its own.
TEST(NavierStokesSolver, InviscidFlowConservesEnergyAndEnstrophy) {
  constexpr int64_t n = 32;
  struct Change {
    double energy, enstrophy;
  };
  const auto change = [&](double dt) {
    const auto solver = make_ifrk4({n, 0, {}}, {.dt = dt});
    solver->set(random_vorticity(n, 8));
    const Spectrum start = solver->vorticity();
    solver->advance(1);
    const Spectrum end = solver->vorticity();
    EXPECT_GT(largest_difference(start, end), 0.1);
    return Change{std::abs(energy(end, n) / energy(start, n) - 1),
                  std::abs(enstrophy(end, n) / enstrophy(start, n) - 1)};
  };
  const Change coarse = change(0.02), fine = change(0.01);
  EXPECT_LT(fine.energy, 1e-7);
  EXPECT_LT(fine.enstrophy, 1e-6);
  EXPECT_GT(std::log2(coarse.energy / fine.energy), 4.0);
  EXPECT_GT(std::log2(coarse.enstrophy / fine.enstrophy), 4.0);
}

// --- Plain implementation ---------------------------------------------------------------------

// A full plane of modes with direct indexing by wavenumber.
class Modes {
 public:
  explicit Modes(int64_t cutoff)
      : cutoff_(cutoff), values_(static_cast<size_t>((2 * cutoff + 1) * (2 * cutoff + 1))) {}
  Complex& at(int64_t kx, int64_t ky) {
    return values_[static_cast<size_t>((kx + cutoff_) * (2 * cutoff_ + 1) + ky + cutoff_)];
  }
  template <class Visit>
  void each(Visit visit) {
    for (int64_t kx = -cutoff_; kx <= cutoff_; ++kx) {
      for (int64_t ky = -cutoff_; ky <= cutoff_; ++ky) visit(kx, ky, at(kx, ky));
    }
  }
  int64_t cutoff() const { return cutoff_; }

 private:
  int64_t cutoff_;
  std::vector<Complex> values_;
};

Modes full_plane(const Spectrum& half, int64_t n, int64_t cutoff) {
  Modes modes(cutoff);
  modes.each([&](int64_t kx, int64_t ky, Complex& c) {
    const int64_t sign = ky < 0 ? -1 : 1;
    const int64_t row = (sign * kx + n) % n;
    const Complex stored = half[static_cast<size_t>(row * (n / 2 + 1) + sign * ky)];
    c = sign < 0 ? std::conj(stored) : stored;
  });
  return modes;
}

// -(u . grad w)_k + f_k as the exact convolution: sum over p + q = k of u_p . (2 pi i q) w_q.
Modes convolved_slope(Modes& w, Modes& forcing) {
  Modes slope = forcing;
  w.each([&](int64_t px, int64_t py, Complex& wp) {
    if (px == 0 && py == 0) return;
    const Complex psi = wp / (kTwoPi * kTwoPi * static_cast<double>(px * px + py * py));
    const Complex u = kI * kTwoPi * static_cast<double>(py) * psi;
    const Complex v = -kI * kTwoPi * static_cast<double>(px) * psi;
    w.each([&](int64_t qx, int64_t qy, Complex& wq) {
      const int64_t kx = px + qx, ky = py + qy;
      if (std::max(std::abs(kx), std::abs(ky)) > w.cutoff()) return;
      slope.at(kx, ky) -=
          kTwoPi * kI * (u * static_cast<double>(qx) + v * static_cast<double>(qy)) * wq;
    });
  });
  return slope;
}

Modes combine(Modes& a, Modes& b, const std::function<Complex(double, Complex, Complex)>& f) {
  Modes result = a;
  result.each([&](int64_t kx, int64_t ky, Complex& c) {
    c = f(static_cast<double>(kx * kx + ky * ky), a.at(kx, ky), b.at(kx, ky));
  });
  return result;
}

// Classical Runge-Kutta on v = exp(-L t) w, written on v itself: L = -nu |2 pi k|^2.
Modes runge_kutta_step(Modes w, Modes& forcing, double viscosity, double dt) {
  const auto grow = [&](Modes m, double t) {  // exp(L t) m
    return combine(m, m, [&](double k2, Complex c, Complex) {
      return std::exp(-viscosity * kTwoPi * kTwoPi * k2 * t) * c;
    });
  };
  const auto slope = [&](Modes v, double t) {
    Modes at_t = grow(v, t);
    return grow(convolved_slope(at_t, forcing), -t);
  };
  const auto moved = [&](Modes a, Modes b, double h) {
    return combine(a, b, [&](double, Complex x, Complex y) { return x + h * y; });
  };
  const Modes k1 = slope(w, 0);
  const Modes k2 = slope(moved(w, k1, dt / 2), dt / 2);
  const Modes k3 = slope(moved(w, k2, dt / 2), dt / 2);
  const Modes k4 = slope(moved(w, k3, dt), dt);
  Modes v = moved(moved(moved(moved(w, k1, dt / 6), k2, dt / 3), k3, dt / 3), k4, dt / 6);
  return grow(v, dt);
}

// Sizes at which the layout differs: |k| = n/3 would alias at 6 and 12; lines have an odd number of
// modes except at 8 and 14; blocks have two rows at 6, 10 and 14.
TEST(NavierStokesSolver, MatchesExactConvolution) {
  constexpr double viscosity = 0.01, dt = 0.02;
  for (const int64_t n : {4, 6, 8, 10, 12, 14, 16}) {
    const int64_t cutoff = (n - 1) / 3;
    Spectrum start = random_vorticity(n, 10);
    Spectrum forcing = random_vorticity(n, 3);
    const auto solver = make_ifrk4({n, viscosity, forcing}, {.dt = dt});
    solver->set(start);
    solver->advance(3 * dt);
    Modes expected = full_plane(start, n, cutoff);
    Modes force = full_plane(forcing, n, cutoff);
    for (int i = 0; i < 3; ++i) expected = runge_kutta_step(expected, force, viscosity, dt);
    Modes found = full_plane(solver->vorticity(), n, cutoff);
    double worst = 0, largest = 0, moved = 0;
    Modes before = full_plane(start, n, cutoff);
    expected.each([&](int64_t kx, int64_t ky, Complex& c) {
      worst = std::max(worst, std::abs(c - found.at(kx, ky)));
      largest = std::max(largest, std::abs(c));
      moved = std::max(moved, std::abs(c - before.at(kx, ky)));
    });
    EXPECT_GT(moved, 0.01 * largest) << "n = " << n;
    EXPECT_LT(worst, 1e-14 * largest) << "n = " << n;
  }
}

// --- Steps ------------------------------------------------------------------------------------

TEST(NavierStokesSolver, StepFollowsTheCourantNumber) {
  constexpr int64_t n = 32;
  // w = A cos 2 pi x gives |v| = A / 2 pi at most and stays as it is.
  constexpr double amplitude = 4;
  const Spectrum start =
      spectrum_of(n, [](double x, double) { return amplitude * std::cos(kTwoPi * x); });
  for (const double courant : {0.25, 0.5}) {
    const auto solver = make_ifrk4({n, 0, {}}, {.courant = courant});
    solver->set(start);
    const double dt = courant / (n * amplitude / kTwoPi);
    EXPECT_EQ(solver->advance(1).steps, static_cast<int64_t>(std::ceil(1 / dt)));
  }
}

TEST(NavierStokesSolver, ForcingIsFnos) {
  const Spectrum expected = spectrum_of(16, [](double x, double y) {
    return 0.1 * (std::sin(kTwoPi * (x + y)) + std::cos(kTwoPi * (x + y)));
  });
  EXPECT_LT(largest_difference(diagonal_forcing(16, 0.1), expected), 1e-16);
}

TEST(NavierStokesSolver, ReportsASolutionThatBreaksDown) {
  constexpr int64_t n = 32;
  const VorticityFlow flow{n, 0, diagonal_forcing(n, 0.1)};
  const auto fixed = make_ifrk4(flow, {.dt = 1});
  fixed->set(random_vorticity(n, 100));
  EXPECT_FALSE(fixed->advance(200).finite);
  fixed->set(random_vorticity(n, 1e-3));  // and starts afresh
  EXPECT_TRUE(fixed->advance(1).finite);
  const auto solver = make_ifrk4(flow, {});
  Spectrum broken = random_vorticity(n);
  broken[5] = std::numeric_limits<double>::quiet_NaN();
  solver->set(broken);
  EXPECT_FALSE(solver->advance(1).finite);
}

}  // namespace
}  // namespace roundtrip
