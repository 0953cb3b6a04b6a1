#pragma once

#include <cstdint>

#include "roundtrip/base/random.h"
#include "roundtrip/systems/fft.h"

namespace roundtrip {

/// A stationary Gaussian field of mean zero on the unit torus, the initial vorticity of the Fourier
/// neural operator's data: independent modes with
///     E |c_k|^2 = variance_scale * tau^(2 alpha - 2) * (4 pi^2 |k|^2 + tau^2)^(-alpha),  k != 0.
struct GaussianRandomField {
  double alpha = 2.5;           // smoothness
  double tau = 7.0;             // inverse length scale
  double variance_scale = 1.0;  // 1: covariance tau^3 (-Lap + tau^2)^-alpha; see below

  /// E |c_k|^2, zero at k = 0.
  double mode_variance(int64_t kx, int64_t ky) const;
  /// Standard deviation of the field at a point on an n x n grid.
  double standard_deviation(int64_t n) const;
  /// One field, modes |kx|, |ky| < n/2. The two normals of a mode are drawn at a position that
  /// depends on the wavenumber alone, so that fields of the same stream on two grids share all
  /// modes that both grids have.
  Spectrum sample(const RandomStream& draws, int64_t n) const;
};

/// The two amplitudes in circulation. The code of 2020, which made the published files, draws noise
/// with variance 1 in both the real and the imaginary part: twice the covariance above, standard
/// deviation 0.26196. The rewrite of 2022 draws complex noise of variance 1 in all: 0.18523.
inline constexpr double kOriginalVarianceScale = 2.0;
inline constexpr double kRewriteVarianceScale = 1.0;

}  // namespace roundtrip
