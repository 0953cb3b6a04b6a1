// The column passes run along the strided axis for many columns at once: FFTW then fills its vector
// lanes with neighbouring columns. Frigo & Johnson 2005, "The design and implementation of FFTW3".
//
// One pair of transforms, one core of an EPYC, microseconds at n = 64, 128, 256: these passes 18,
// 91, 627; FFTW's own 2-D complex transform 22, 137, 5506; the same work as two real transforms
// each way 33, 206, 822.
#include "roundtrip/systems/fft.h"

#include <mutex>
#include <numeric>

#include <fftw3.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

std::mutex& planner_lock() {
  static std::mutex lock;
  return lock;
}

fftw_complex* raw(Complex* values) { return reinterpret_cast<fftw_complex*>(values); }

template <class Make>
FftPlan make_plan(Make make) {
  const std::lock_guard guard(planner_lock());
  FftPlan plan(make());
  ensure(plan != nullptr, "FFTW has no plan for this size");
  return plan;
}

// `count` transforms of length n; element and transform strides of input and output.
struct Batch {
  int64_t n, count, stride, distance;
  int64_t out_stride, out_distance;
};

FftPlan plan_batch(const Batch& batch, Complex* in, Complex* out, int sign) {
  const int n = static_cast<int>(batch.n);
  return make_plan([&] {
    return fftw_plan_many_dft(1, &n, static_cast<int>(batch.count), raw(in), nullptr,
                              static_cast<int>(batch.stride), static_cast<int>(batch.distance),
                              raw(out), nullptr, static_cast<int>(batch.out_stride),
                              static_cast<int>(batch.out_distance), sign, FFTW_ESTIMATE);
  });
}

void run(const FftPlan& plan, Complex* in, Complex* out) {
  if (plan != nullptr) fftw_execute_dft(plan.get(), raw(in), raw(out));
}

}  // namespace

void FftPlanDeleter::operator()(fftw_plan_s* plan) const {
  const std::lock_guard guard(planner_lock());
  fftw_destroy_plan(plan);
}

RealFft2d::RealFft2d(int64_t n) : n_(n) {
  ensure(n >= 2 && n % 2 == 0, "RealFft2d: n must be even");
  Field field(static_cast<size_t>(n * n));
  Spectrum spectrum(spectrum_size(n));
  const int size = static_cast<int>(n);
  forward_ = make_plan([&] {
    return fftw_plan_dft_r2c_2d(size, size, field.data(), raw(spectrum.data()), FFTW_ESTIMATE);
  });
  inverse_ = make_plan([&] {
    return fftw_plan_dft_c2r_2d(size, size, raw(spectrum.data()), field.data(), FFTW_ESTIMATE);
  });
}

void RealFft2d::to_spectrum(const Field& field, Spectrum& spectrum) const {
  ensure(field.size() == static_cast<size_t>(n_ * n_), "RealFft2d: field of another size");
  spectrum.resize(spectrum_size(n_));
  // Out of place, a real-to-complex plan leaves its input alone.
  fftw_execute_dft_r2c(forward_.get(), const_cast<double*>(field.data()), raw(spectrum.data()));
  const double scale = 1.0 / static_cast<double>(n_ * n_);
  for (Complex& c : spectrum) c *= scale;
}

void RealFft2d::to_field(Spectrum& spectrum, Field& field) const {
  ensure(spectrum.size() == spectrum_size(n_), "RealFft2d: spectrum of another size");
  field.resize(static_cast<size_t>(n_ * n_));
  fftw_execute_dft_c2r(inverse_.get(), raw(spectrum.data()), field.data());
}

TruncatedFft2d::TruncatedFft2d(int64_t n, int64_t cutoff)
    : n_(n), cutoff_(cutoff), pitch_((n + 7) / 4 * 4), block_(std::gcd(n, int64_t{8})) {
  ensure(n >= 2 && n % 2 == 0 && cutoff >= 0 && 2 * cutoff < n, "TruncatedFft2d: bad size");
  AlignedVector<Complex> modes(size());
  AlignedVector<Complex> values(static_cast<size_t>(block_ * n_));
  const Batch to_values{n_, block_, 1, pitch_, 1, n_};
  const Batch to_modes{n_, block_, 1, n_, 1, pitch_};
  inverse_rows_ = plan_batch(to_values, modes.data(), values.data(), FFTW_BACKWARD);
  forward_rows_ = plan_batch(to_modes, values.data(), modes.data(), FFTW_FORWARD);

  const auto columns = [&](int64_t first, int64_t count, int sign) {
    if (count == 0) return FftPlan();
    Complex* start = modes.data() + first;
    return plan_batch({n_, count, pitch_, 1, pitch_, 1}, start, start, sign);
  };
  inverse_columns_ = columns(0, cutoff_ + 1, FFTW_BACKWARD);
  forward_columns_ = columns(0, cutoff_ + 1, FFTW_FORWARD);
  inverse_negative_columns_ = columns(n_ - cutoff_, cutoff_, FFTW_BACKWARD);
  forward_negative_columns_ = columns(n_ - cutoff_, cutoff_, FFTW_FORWARD);
}

void TruncatedFft2d::columns_to_values(Complex* modes) const {
  run(inverse_columns_, modes, modes);
  run(inverse_negative_columns_, modes + n_ - cutoff_, modes + n_ - cutoff_);
}

void TruncatedFft2d::rows_to_values(Complex* rows, Complex* values) const {
  run(inverse_rows_, rows, values);
}

void TruncatedFft2d::rows_to_modes(Complex* values, Complex* rows) const {
  run(forward_rows_, values, rows);
}

void TruncatedFft2d::columns_to_modes(Complex* modes) const {
  run(forward_columns_, modes, modes);
  run(forward_negative_columns_, modes + n_ - cutoff_, modes + n_ - cutoff_);
}

}  // namespace roundtrip
