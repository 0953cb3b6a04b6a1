#include "roundtrip/systems/gaussian_random_field.h"

#include <cmath>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

constexpr GaussianRandomField kOriginal{.variance_scale = kOriginalVarianceScale};
constexpr GaussianRandomField kRewrite{.variance_scale = kRewriteVarianceScale};

// The published values, from the sum over modes at 256 points.
TEST(GaussianRandomField, StandardDeviationOfBothConventions) {
  EXPECT_NEAR(kOriginal.standard_deviation(256), 0.26196, 5e-6);
  EXPECT_NEAR(kRewrite.standard_deviation(256), 0.18523, 5e-6);
}

// Sampled fields against those values. The mean square of a field is a sum of independent
// exponentials, 2 |c_k|^2 per pair of modes, so its variance is exactly the sum over k of 2 v_k^2.
// Four standard errors of 4000 fields are 1.3 percent of the standard deviation; the conventions
// are 41 percent apart. Modes beyond 32 points carry less than 1e-4 of the variance.
TEST(GaussianRandomField, SamplesHaveThatStandardDeviation) {
  constexpr int64_t n = 32;
  constexpr int samples = 4000;
  const RealFft2d fft(n);
  for (const auto& [field, expected] :
       {std::pair{kOriginal, 0.26196}, std::pair{kRewrite, 0.18523}}) {
    double mean_square = 0, mean = 0;
    Field values;
    for (int s = 0; s < samples; ++s) {
      Spectrum spectrum = field.sample(RandomStream(1, "grf", s), n);
      fft.to_field(spectrum, values);
      for (const double x : values) {
        mean_square += x * x / (n * n * samples);
        mean += x / (n * n * samples);
      }
    }
    double variance = 0;
    for (int64_t kx = 1 - n / 2; kx < n / 2; ++kx) {
      for (int64_t ky = 1 - n / 2; ky < n / 2; ++ky) {
        variance += 2 * std::pow(field.mode_variance(kx, ky), 2);
      }
    }
    const double standard_error = std::sqrt(variance / samples);
    EXPECT_NEAR(mean_square, expected * expected, 4 * standard_error);
    EXPECT_LT(4 * standard_error, 0.027 * expected * expected);
    EXPECT_NEAR(mean, 0, 1e-15);
  }
}

// |c_k|^2 / v_k is exponential with mean 1: five standard errors of 2000 draws for each of 20
// modes, and the real and imaginary parts carry half each and are uncorrelated.
TEST(GaussianRandomField, EveryModeHasItsVariance) {
  constexpr int64_t n = 8;
  constexpr int samples = 2000;
  const double tolerance = 5 / std::sqrt(samples);
  std::vector<double> power(spectrum_size(n)), real_square(spectrum_size(n)),
      cross(spectrum_size(n));
  for (int s = 0; s < samples; ++s) {
    const Spectrum c = kRewrite.sample(RandomStream(2, "grf", s), n);
    for (size_t i = 0; i < c.size(); ++i) {
      power[i] += std::norm(c[i]) / samples;
      real_square[i] += c[i].real() * c[i].real() / samples;
      cross[i] += c[i].real() * c[i].imag() / samples;
    }
  }
  for (int64_t row = 0; row < n; ++row) {
    for (int64_t ky = 0; ky <= n / 2; ++ky) {
      const size_t i = static_cast<size_t>(row * (n / 2 + 1) + ky);
      const bool nyquist = row == n / 2 || ky == n / 2;
      const double v = nyquist ? 0 : kRewrite.mode_variance(wavenumber(row, n), ky);
      EXPECT_NEAR(power[i], v, tolerance * v) << row << ' ' << ky;
      // The square of a normal has twice the relative spread of an exponential's, squared.
      EXPECT_NEAR(real_square[i], v / 2, std::sqrt(2.0) * tolerance * v / 2);
      EXPECT_NEAR(cross[i], 0, tolerance * v / 2);
    }
  }
  // By hand: 7^3 (4 pi^2 + 49)^-2.5 at |k| = 1.
  EXPECT_NEAR(kRewrite.mode_variance(0, 1), 343 * std::pow(39.47841760435743 + 49, -2.5), 1e-15);
}

TEST(GaussianRandomField, GridsShareTheirModes) {
  const RandomStream draws(4, "grf");
  const Spectrum coarse = kOriginal.sample(draws, 16), fine = kOriginal.sample(draws, 48);
  for (int64_t kx = -7; kx <= 7; ++kx) {
    for (int64_t ky = 0; ky <= 7; ++ky) {
      EXPECT_EQ(coarse[static_cast<size_t>((kx + 16) % 16 * 9 + ky)],
                fine[static_cast<size_t>((kx + 48) % 48 * 25 + ky)]);
    }
  }
}

// Column ky = 0 must be its own mirror image, or the field would not be real.
TEST(GaussianRandomField, SpectrumIsThatOfARealField) {
  constexpr int64_t n = 16;
  const Spectrum spectrum = kOriginal.sample(RandomStream(4, "grf"), n);
  const RealFft2d fft(n);
  Spectrum used = spectrum, again;
  Field field;
  fft.to_field(used, field);
  fft.to_spectrum(field, again);
  for (size_t i = 0; i < spectrum.size(); ++i) {
    EXPECT_LT(std::abs(spectrum[i] - again[i]), 1e-16);
  }
}

}  // namespace
}  // namespace roundtrip
