#pragma once

// Rows of the MHD grid as structures of pointers: each variable contiguous in y, index 0 the first
// cell, -1 and ny ghosts.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "roundtrip/base/error.h"
#include "roundtrip/systems/mhd_kernels.h"

namespace roundtrip::mhd {

/// Primitive variables of a row of cells.
struct PrimitiveRow {
  double *rho, *vx, *vy, *p, *bx, *by;

  Primitive operator[](int64_t j) const { return {rho[j], vx[j], vy[j], p[j], bx[j], by[j]}; }
  void set(int64_t j, const Primitive& w) const {
    rho[j] = w.rho, vx[j] = w.vx, vy[j] = w.vy, p[j] = w.p, bx[j] = w.bx, by[j] = w.by;
  }
  void copy(int64_t to, int64_t from) const { set(to, (*this)[from]); }
  PrimitiveRow shifted(int64_t n) const { return {rho + n, vx + n, vy + n, p + n, bx + n, by + n}; }
};

/// What a row keeps between steps: conserved variables of its cells, field on their upper faces.
struct StoredRow {
  double *rho, *mx, *my, *energy, *bx, *by;

  StoredRow shifted(int64_t n) const {
    return {rho + n, mx + n, my + n, energy + n, bx + n, by + n};
  }
};

/// Fluxes through a row of faces.
struct FluxRow {
  double *rho, *mx, *my, *energy, *bt;

  Flux operator[](int64_t j) const { return {rho[j], mx[j], my[j], energy[j], bt[j]}; }
  void set(int64_t j, const Flux& f) const {
    rho[j] = f.rho, mx[j] = f.mx, my[j] = f.my, energy[j] = f.energy, bt[j] = f.bt;
  }
  void copy(int64_t to, int64_t from) const { set(to, (*this)[from]); }
};

/// Rows of padded doubles cut from one aligned block. The stride is an odd number of cache lines:
/// with a power of two, the dozens of rows a loop walks together would share a few cache sets.
class RowStore {
 public:
  RowStore(int64_t rows, int64_t width)
      : stride_(((width + 2 * kLine + kLine - 1) / kLine | 1) * kLine), left_(rows) {
    const size_t bytes = sizeof(double) * static_cast<size_t>(stride_ * rows);
    block_.reset(static_cast<double*>(std::aligned_alloc(kLine * sizeof(double), bytes)));
    if (block_ == nullptr) throw std::bad_alloc();
    std::fill_n(block_.get(), stride_ * rows, 0.0);
    next_ = block_.get() + kLine;
  }

  /// First cell of the first of `count` consecutive rows.
  double* take(int64_t count) {
    left_ -= count;
    ensure(left_ >= 0, "mhd: row store too small");
    return std::exchange(next_, next_ + count * stride_);
  }
  PrimitiveRow take_primitive(int64_t count = 1) {
    return {take(count), take(count), take(count), take(count), take(count), take(count)};
  }
  FluxRow take_flux(int64_t count = 1) {
    return {take(count), take(count), take(count), take(count), take(count)};
  }
  StoredRow take_stored(int64_t count) {
    return {take(count), take(count), take(count), take(count), take(count), take(count)};
  }
  int64_t stride() const { return stride_; }

 private:
  static constexpr int64_t kLine = 8;  // doubles in a cache line
  struct Free {
    void operator()(double* block) const { std::free(block); }
  };
  int64_t stride_, left_;
  std::unique_ptr<double[], Free> block_;
  double* next_ = nullptr;
};

}  // namespace roundtrip::mhd
