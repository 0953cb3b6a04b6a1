// Spectral sampling: modes of a stationary Gaussian field are independent complex normals, so a
// field is one pair of normals per mode of the half plane. Li et al. 2021, "Fourier neural operator
// for parametric partial differential equations", appendix A.3.3.
#include "roundtrip/systems/gaussian_random_field.h"

#include <cmath>
#include <numbers>

namespace roundtrip {
namespace {

// The even draw that starts the pair of mode (kx, ky), ky >= 0: one place per wavenumber, for any
// grid up to 2^31 points.
uint64_t draw_of(int64_t kx, int64_t ky) {
  return 2 * (static_cast<uint64_t>(ky) << 32 | static_cast<uint32_t>(kx));
}

}  // namespace

double GaussianRandomField::mode_variance(int64_t kx, int64_t ky) const {
  if (kx == 0 && ky == 0) return 0;
  const double k2 = static_cast<double>(kx * kx + ky * ky);
  const double eigenvalue = 4 * std::numbers::pi * std::numbers::pi * k2 + tau * tau;
  return variance_scale * std::pow(tau, 2 * alpha - 2) * std::pow(eigenvalue, -alpha);
}

double GaussianRandomField::standard_deviation(int64_t n) const {
  double variance = 0;
  for (int64_t kx = 0; kx < n / 2; ++kx) {
    for (int64_t ky = 0; ky < n / 2; ++ky) {
      const double images = (kx > 0 ? 2 : 1) * (ky > 0 ? 2 : 1);  // the modes (+-kx, +-ky)
      variance += images * mode_variance(kx, ky);
    }
  }
  return std::sqrt(variance);
}

Spectrum GaussianRandomField::sample(const RandomStream& draws, int64_t n) const {
  Spectrum spectrum(spectrum_size(n));
  const int64_t columns = n / 2 + 1;
  const auto draw = [&](int64_t kx, int64_t ky) {
    const double scale = std::sqrt(mode_variance(kx, ky) / 2);
    const uint64_t first = draw_of(kx, ky);
    return Complex(scale * draws.normal(first), scale * draws.normal(first + 1));
  };
  const auto at = [&](int64_t kx, int64_t ky) -> Complex& {
    return spectrum[static_cast<size_t>((kx < 0 ? kx + n : kx) * columns + ky)];
  };
  for (int64_t kx = 1 - n / 2; kx < n / 2; ++kx) {
    for (int64_t ky = 1; ky < n / 2; ++ky) at(kx, ky) = draw(kx, ky);
  }
  // Column ky = 0 holds k and -k both; a real field makes them conjugate.
  for (int64_t kx = 1; kx < n / 2; ++kx) {
    at(kx, 0) = draw(kx, 0);
    at(-kx, 0) = std::conj(at(kx, 0));
  }
  return spectrum;
}

}  // namespace roundtrip
