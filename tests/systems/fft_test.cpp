#include "roundtrip/systems/fft.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"
#include "roundtrip/base/threads.h"

namespace roundtrip {
namespace {

Complex wave(int64_t phase, int64_t n) {
  return std::polar(1.0,
                    2 * std::numbers::pi * static_cast<double>(phase) / static_cast<double>(n));
}

Field random_field(int64_t n) {
  Field field(static_cast<size_t>(n * n));
  RandomStream(3, "fft").fill_normal(field);
  return field;
}

TEST(RealFft2d, MatchesTheSum) {
  for (const int64_t n : {2, 6, 8}) {
    const Field field = random_field(n);
    Spectrum spectrum;
    RealFft2d(n).to_spectrum(field, spectrum);
    for (int64_t row = 0; row < n; ++row) {
      for (int64_t ky = 0; ky <= n / 2; ++ky) {
        Complex sum;
        for (int64_t i = 0; i < n; ++i) {
          for (int64_t j = 0; j < n; ++j) {
            sum +=
                field[static_cast<size_t>(i * n + j)] * wave(-(wavenumber(row, n) * i + ky * j), n);
          }
        }
        sum /= static_cast<double>(n * n);
        EXPECT_LT(std::abs(sum - spectrum[static_cast<size_t>(row * (n / 2 + 1) + ky)]), 1e-15);
      }
    }
  }
}

TEST(RealFft2d, ThereAndBack) {
  const Field field = random_field(24);
  const RealFft2d fft(24);
  Spectrum spectrum;
  Field back;
  fft.to_spectrum(field, spectrum);
  fft.to_field(spectrum, back);
  for (size_t i = 0; i < field.size(); ++i) EXPECT_NEAR(back[i], field[i], 1e-14);
}

// Modes within the cutoff, to the grid by the passes and by the sum, then back.
TEST(TruncatedFft2d, MatchesTheSumAndReturns) {
  for (const auto& [n, cutoff] : {std::pair<int64_t, int64_t>{8, 2}, {10, 3}, {12, 0}, {16, 5}}) {
    const TruncatedFft2d fft(n, cutoff);
    const RandomStream draws(5, "modes");
    AlignedVector<Complex> modes(fft.size());
    const auto place = [&, n = n](int64_t kx, int64_t ky) {
      return static_cast<size_t>((kx + n) % n * fft.pitch() + (ky + n) % n);
    };
    uint64_t draw = 0;
    for (int64_t kx = -cutoff; kx <= cutoff; ++kx) {
      for (int64_t ky = -cutoff; ky <= cutoff; ++ky, draw += 2) {
        modes[place(kx, ky)] = {draws.normal(draw), draws.normal(draw + 1)};
      }
    }
    const AlignedVector<Complex> start = modes;
    AlignedVector<Complex> values(static_cast<size_t>(fft.block() * n));
    fft.columns_to_values(modes.data());
    for (int64_t row = 0; row < n; row += fft.block()) {
      Complex* rows = modes.data() + row * fft.pitch();
      fft.rows_to_values(rows, values.data());
      for (int64_t i = 0; i < fft.block(); ++i) {
        for (int64_t j = 0; j < n; ++j) {
          Complex sum;
          for (int64_t kx = -cutoff; kx <= cutoff; ++kx) {
            for (int64_t ky = -cutoff; ky <= cutoff; ++ky) {
              sum += start[place(kx, ky)] * wave(kx * (row + i) + ky * j, n);
            }
          }
          EXPECT_LT(std::abs(sum - values[static_cast<size_t>(i * n + j)]), 1e-12);
        }
      }
      fft.rows_to_modes(values.data(), rows);
    }
    fft.columns_to_modes(modes.data());
    const double scale = static_cast<double>(n * n);
    for (int64_t kx = -n / 2; kx < n / 2; ++kx) {
      for (int64_t ky = -cutoff; ky <= cutoff; ++ky) {
        EXPECT_LT(std::abs(modes[place(kx, ky)] / scale - start[place(kx, ky)]), 1e-14);
      }
    }
  }
}

// FFTW's planner is not thread-safe; ours must be, and must always find the same plan.
TEST(RealFft2d, PlansOnManyThreadsGiveTheSameBits) {
  const Field field = random_field(48);
  std::vector<Spectrum> found(16);
  parallel_for(16, 4,
               [&](int64_t i) { RealFft2d(48).to_spectrum(field, found[static_cast<size_t>(i)]); });
  for (const Spectrum& spectrum : found) EXPECT_EQ(spectrum, found[0]);
}

}  // namespace
}  // namespace roundtrip
