#include "roundtrip/systems/fno_scheme.h"

#include <cmath>

#include <gtest/gtest.h>

#include "roundtrip/systems/gaussian_random_field.h"
#include "tests/systems/spectra.h"

namespace roundtrip {
namespace {

// All modes |kx|, |ky| < n/2 of a real field from the stored half.
template <class Visit>
void for_each_mode(const Spectrum& half, int64_t n, Visit visit) {
  for (int64_t kx = 1 - n / 2; kx < n / 2; ++kx) {
    for (int64_t ky = 1 - n / 2; ky < n / 2; ++ky) {
      const int64_t row = ((ky < 0 ? -kx : kx) + n) % n;
      const Complex stored = half[static_cast<size_t>(row * (n / 2 + 1) + std::abs(ky))];
      visit(kx, ky, ky < 0 ? std::conj(stored) : stored);
    }
  }
}

// FNO's step by sums over the grid: aliasing, mask and all.
Spectrum plain_fno_step(const Spectrum& half, const Spectrum& forcing, int64_t n, double viscosity,
                        double dt) {
  Spectrum product(half.size());
  const double points = static_cast<double>(n * n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      const auto wave = [&](int64_t kx, int64_t ky) {
        return std::polar(1.0,
                          kTwoPi * static_cast<double>(kx * i + ky * j) / static_cast<double>(n));
      };
      Complex u, v, w_x, w_y;
      for_each_mode(half, n, [&](int64_t kx, int64_t ky, Complex c) {
        if (kx == 0 && ky == 0) return;
        const double x = static_cast<double>(kx), y = static_cast<double>(ky);
        const Complex here = kTwoPi * kI * c * wave(kx, ky);
        const double lap = kTwoPi * kTwoPi * (x * x + y * y);
        u += y / lap * here;
        v -= x / lap * here;
        w_x += x * here;
        w_y += y * here;
      });
      const double value = u.real() * w_x.real() + v.real() * w_y.real();
      for (int64_t row = 0; row < n; ++row) {
        for (int64_t ky = 0; ky <= n / 2; ++ky) {
          product[static_cast<size_t>(row * (n / 2 + 1) + ky)] +=
              value / points * std::conj(wave(wavenumber(row, n), ky));
        }
      }
    }
  }
  Spectrum next(half.size());
  for (int64_t row = 0; row < n; ++row) {
    for (int64_t ky = 0; ky <= n / 2; ++ky) {
      const size_t i = static_cast<size_t>(row * (n / 2 + 1) + ky);
      const double kx = static_cast<double>(wavenumber(row, n)), y = static_cast<double>(ky);
      const double limit = 2.0 / 3.0 * static_cast<double>(n / 2);
      const double mask = std::abs(kx) <= limit && y <= limit ? 1 : 0;
      const double lap = kTwoPi * kTwoPi * (kx * kx + y * y);
      next[i] =
          (-dt * mask * product[i] + dt * forcing[i] + (1 - 0.5 * dt * viscosity * lap) * half[i]) /
          (1 + 0.5 * dt * viscosity * lap);
    }
  }
  return next;
}

TEST(FnoScheme, MatchesPlainSums) {
  constexpr double viscosity = 0.01, dt = 0.02;
  for (const int64_t n : {8, 12}) {
    const Spectrum start = random_vorticity(n, 10), forcing = random_vorticity(n, 3);
    const auto solver = make_fno_scheme({n, viscosity, forcing}, dt);
    solver->set(start);
    EXPECT_EQ(solver->advance(3 * dt).steps, 3);
    Spectrum expected = start;
    for (int i = 0; i < 3; ++i) expected = plain_fno_step(expected, forcing, n, viscosity, dt);
    EXPECT_GT(largest_difference(start, expected), 1e-2);
    EXPECT_LT(largest_difference(solver->vorticity(), expected), 1e-14) << "n = " << n;
  }
}

// Both schemes solve the same equations: the difference is the first-order error of FNO's.
TEST(FnoScheme, AgreesWithIfrk4ToFirstOrder) {
  constexpr int64_t n = 32;
  constexpr double viscosity = 2e-3;  // modes beyond the 2/3 cutoff, which only one scheme has, die
  const VorticityFlow flow{n, viscosity, diagonal_forcing(n, 0.1)};
  // Both start from the same modes.
  const auto exact = make_ifrk4(flow, {.dt = 0.01});
  exact->set(random_vorticity(n, 3));
  const Spectrum start = exact->vorticity();
  exact->advance(1);
  const auto difference = [&](double dt) {
    const auto solver = make_fno_scheme(flow, dt);
    solver->set(start);
    solver->advance(1);
    return largest_difference(solver->vorticity(), exact->vorticity());
  };
  const double coarse = difference(1e-3), fine = difference(5e-4);
  EXPECT_LT(fine, 1e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.02);
}

TEST(FnoScheme, ReportsASolutionThatBreaksDown) {
  constexpr int64_t n = 32;
  const auto solver = make_fno_scheme({n, 0, diagonal_forcing(n, 0.1)}, 1);
  solver->set(random_vorticity(n, 100));
  const AdvanceReport report = solver->advance(200);
  EXPECT_FALSE(report.finite);
  EXPECT_LT(report.steps, 200);
  solver->set(random_vorticity(n, 1e-3));  // and starts afresh
  EXPECT_TRUE(solver->advance(1).finite);
}

}  // namespace
}  // namespace roundtrip
