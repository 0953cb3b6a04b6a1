#pragma once

#include <cstdint>

// Weak: libtorch may have been built on a BLAS that keeps these names to itself.
extern "C" {
[[gnu::weak]] void sgemm_(const char*, const char*, const int*, const int*, const int*,
                          const float*, const float*, const int*, const float*, const int*,
                          const float*, float*, const int*);
[[gnu::weak]] void dgemm_(const char*, const char*, const int*, const int*, const int*,
                          const double*, const double*, const int*, const double*, const int*,
                          const double*, double*, const int*);
}

namespace roundtrip {

/// A matrix in memory, row by row, rows `stride` numbers apart.
template <class T>
struct Matrix {
  T* data;
  int64_t stride;
};

enum class Op : char { plain = 'N', transposed = 'T' };

/// True when `multiply` can be called.
inline bool has_multiply() { return sgemm_ != nullptr && dgemm_ != nullptr; }

/// c = alpha op(a) op(b) + beta c with c (m, n) and k terms a sum. Called from several threads it
/// works on each alone.
template <class T>
void multiply(Op op_a, Op op_b, int64_t m, int64_t n, int64_t k, T alpha, Matrix<const T> a,
              Matrix<const T> b, T beta, Matrix<T> c) {
  // BLAS counts columns first: the same memory, read so, is c^T = op(b)^T op(a)^T.
  const char trans_a = static_cast<char>(op_b), trans_b = static_cast<char>(op_a);
  const int rows = static_cast<int>(n), columns = static_cast<int>(m), terms = static_cast<int>(k);
  const int lda = static_cast<int>(b.stride), ldb = static_cast<int>(a.stride);
  const int ldc = static_cast<int>(c.stride);
  if constexpr (sizeof(T) == sizeof(float)) {
    sgemm_(&trans_a, &trans_b, &rows, &columns, &terms, &alpha, b.data, &lda, a.data, &ldb, &beta,
           c.data, &ldc);
  } else {
    dgemm_(&trans_a, &trans_b, &rows, &columns, &terms, &alpha, b.data, &lda, a.data, &ldb, &beta,
           c.data, &ldc);
  }
}

}  // namespace roundtrip
