#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

struct fftw_plan_s;

namespace roundtrip {

using Complex = std::complex<double>;

/// Memory on cache-line boundaries, as the plans below expect of every array handed to them.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
  }
  void deallocate(T* memory, size_t) { ::operator delete(memory, kAlignment); }
  bool operator==(const AlignedAllocator&) const { return true; }
};
template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

/// Fourier coefficients c of a real field on an n x n grid of the unit torus, n even:
/// field(x, y) = sum over k of c_k exp(2 pi i (kx x + ky y)). Stored is the half ky >= 0 as
/// [kx][ky]: rows kx = 0 .. n/2-1, -n/2 .. -1, columns ky = 0 .. n/2. The values do not depend on
/// n.
using Spectrum = AlignedVector<Complex>;
/// A real field [x][y], point (i, j) at (i/n, j/n).
using Field = AlignedVector<double>;

inline size_t spectrum_size(int64_t n) { return static_cast<size_t>(n * (n / 2 + 1)); }
/// The wavenumber of row `row` of an n-point transform: 0 .. n/2-1, -n/2 .. -1.
inline int64_t wavenumber(int64_t row, int64_t n) { return row < n / 2 ? row : row - n; }

/// A plan of FFTW, made by estimate (measuring would make the last bits depend on the machine's
/// load) and behind the lock that FFTW's planner needs. Running it is thread-safe.
struct FftPlanDeleter {
  void operator()(fftw_plan_s* plan) const;
};
using FftPlan = std::unique_ptr<fftw_plan_s, FftPlanDeleter>;

/// Real n x n field <-> its Spectrum. Thread-safe once made.
class RealFft2d {
 public:
  /// n even, at least 2.
  explicit RealFft2d(int64_t n);

  int64_t n() const { return n_; }
  /// Coefficients of `field`; the field is kept.
  void to_spectrum(const Field& field, Spectrum& spectrum) const;
  /// Values of `spectrum` on the grid; the spectrum is overwritten, as FFTW does here.
  void to_field(Spectrum& spectrum, Field& field) const;

 private:
  int64_t n_;
  FftPlan forward_;
  FftPlan inverse_;
};

/// Complex n x n field <-> its modes, for modes that vanish unless |kx|, |ky| <= cutoff, in the
/// four passes a pseudo-spectral solver interleaves with its own work. Columns beyond the cutoff
/// are not transformed, a third of all at the 2/3 rule; rows go through in blocks that stay in the
/// nearest cache, with the pointwise work done there.
///
/// Arrays are [n][pitch()], rows and columns in the order 0 .. n/2-1, -n/2 .. -1; the pitch is more
/// than n because a power of two makes the elements of a column evict each other. Neither direction
/// is normalised: there and back multiplies by n^2. Thread-safe once made.
class TruncatedFft2d {
 public:
  /// n even, 2 * cutoff < n.
  TruncatedFft2d(int64_t n, int64_t cutoff);

  int64_t n() const { return n_; }
  int64_t cutoff() const { return cutoff_; }
  int64_t pitch() const { return pitch_; }
  /// Rows per block; divides n.
  int64_t block() const { return block_; }
  /// Elements of the array.
  size_t size() const { return static_cast<size_t>(n_ * pitch_); }

  /// [kx][ky] -> [x][ky], in place. All rows with |kx| > cutoff must be zero.
  void columns_to_values(Complex* modes) const;
  /// block() rows [x][ky] -> values [x][y], packed at pitch n. Columns |ky| > cutoff must be zero.
  void rows_to_values(Complex* rows, Complex* values) const;
  /// block() rows of values, packed at pitch n -> [x][ky]; columns beyond the cutoff hold modes
  /// too.
  void rows_to_modes(Complex* values, Complex* rows) const;
  /// [x][ky] -> [kx][ky], in place, for the columns |ky| <= cutoff.
  void columns_to_modes(Complex* modes) const;

 private:
  int64_t n_;
  int64_t cutoff_;
  int64_t pitch_;
  int64_t block_;
  FftPlan inverse_rows_;
  FftPlan forward_rows_;
  FftPlan inverse_columns_;           // ky = 0 .. cutoff
  FftPlan inverse_negative_columns_;  // ky = -cutoff .. -1
  FftPlan forward_columns_;
  FftPlan forward_negative_columns_;
};

}  // namespace roundtrip
