// Advection through one complex square. With z = u + i v and div u = 0, the curl of div(u u) is
//     u . grad w = 1/2 Im[(d_x - i d_y)^2 z^2],   z^2 = u^2 - v^2 + 2 i u v,
// Basdevant's two products (1983) in one complex number. In modes, k = (kx, ky):
//     z_k = (kx + i ky) w_k / (2 pi |k|^2),
// so a stage needs one complex transform to the grid and one back, the work of four real ones where
// the advective form needs five. Both are truncated to |kx|, |ky| < n/3: a product of two such
// fields aliases only onto modes that are dropped (Orszag 1971), and the result is the Galerkin
// one.
//
// Time: classical Runge-Kutta on exp(nu |2 pi k|^2 t) w_k. The factor is a product of one function
// of kx and one of ky, so a change of the step length costs 2n exponentials and nothing else, and
// diffusion is too weak at these viscosities (nu |2 pi k|^2 dt < 0.1) for the weakness of
// integrating factors, stiff slow modes, to matter.
#include "roundtrip/systems/navier_stokes_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
// A flow at rest allows any step; forcing then needs some limit. Far above what a moving flow
// takes.
constexpr double kLongestStep = 0.1;
// Vorticity of order one has speed of order one; a speed like this is a solution breaking down.
constexpr double kBrokenSpeed = 1e6;

// Numbers squared side by side; divides every block, as n and the rows of a block are even.
constexpr size_t kLanes = 4;

int64_t steps_for(double duration, double dt) {
  // The slack keeps 1 / 0.1 at ten steps however it rounds.
  return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(duration / dt * (1 - 1e-12))));
}

bool all_finite(const AlignedVector<Complex>& values) {
  return std::all_of(values.begin(), values.end(), [](const Complex& c) {
    return std::isfinite(c.real()) && std::isfinite(c.imag());
  });
}

void check(const VorticityFlow& flow) {
  ensure(flow.resolution >= 4 && flow.resolution % 2 == 0, "VorticityFlow: odd resolution");
  ensure(flow.forcing.empty() || flow.forcing.size() == spectrum_size(flow.resolution),
         "VorticityFlow: forcing of another resolution");
}

class Ifrk4 : public VorticitySolver {
 public:
  Ifrk4(const VorticityFlow& flow, const StepLength& length)
      : n_(flow.resolution),
        cutoff_((flow.resolution - 1) / 3),
        viscosity_(flow.viscosity),
        length_(length),
        fft_(n_, cutoff_),
        modes_(fft_.size()),
        values_(static_cast<size_t>(fft_.block() * n_)),
        vorticity_(static_cast<size_t>((2 * cutoff_ + 1) * (cutoff_ + 1))),
        sum_(vorticity_.size()),
        forcing_(vorticity_.size()),
        half_decay_(static_cast<size_t>(cutoff_ + 1)) {
    if (!flow.forcing.empty()) gather(flow.forcing, forcing_);
  }

  void set(const Spectrum& vorticity) override {
    ensure(vorticity.size() == spectrum_size(n_), "Ifrk4: vorticity of another resolution");
    gather(vorticity, vorticity_);
    std::fill(modes_.begin(), modes_.end(), Complex{});
    for_each_mode([&](int64_t kx, int64_t ky, Complex& here, Complex& mirror, size_t i) {
      put_velocity(kx, ky, vorticity_[i], here, mirror);
    });
  }

  Spectrum vorticity() const override {
    Spectrum all(spectrum_size(n_));
    const int64_t columns = n_ / 2 + 1;
    for (int64_t kx = -cutoff_; kx <= cutoff_; ++kx) {
      Complex* row = &all[static_cast<size_t>(grid_row(kx) * columns)];
      const Complex* from = &vorticity_[index(kx, 0)];
      std::copy(from, from + cutoff_ + 1, row);
      // Column ky = 0 is carried for kx >= 0 only.
      if (kx < 0) row[0] = std::conj(vorticity_[index(-kx, 0)]);
    }
    return all;
  }

  AdvanceReport advance(double duration) override {
    AdvanceReport report;
    const int64_t fixed = length_.dt > 0 ? steps_for(duration, length_.dt) : 0;
    double remaining = duration;
    while (remaining > 0) {
      square_velocity();
      report.finite = speed_ < kBrokenSpeed;
      if (!report.finite) return report;
      const int64_t left = fixed > 0 ? fixed - report.steps : steps_for(remaining, longest_step());
      const double dt = remaining / static_cast<double>(left);
      step(dt);
      remaining = left == 1 ? 0 : remaining - dt;
      ++report.steps;
    }
    report.finite = all_finite(vorticity_);
    return report;
  }

 private:
  int64_t grid_row(int64_t kx) const { return kx < 0 ? kx + n_ : kx; }
  // Place of a mode in the arrays the scheme carries: [kx = -cutoff .. cutoff][ky = 0 .. cutoff].
  size_t index(int64_t kx, int64_t ky) const {
    return static_cast<size_t>((kx + cutoff_) * (cutoff_ + 1) + ky);
  }

  void gather(const Spectrum& from, AlignedVector<Complex>& to) const {
    for (int64_t kx = -cutoff_; kx <= cutoff_; ++kx) {
      const Complex* row = &from[static_cast<size_t>(grid_row(kx) * (n_ / 2 + 1))];
      std::copy(row, row + cutoff_ + 1, &to[index(kx, 0)]);
    }
    to[index(0, 0)] = 0;  // a curl has mean zero
  }

  // Calls visit(kx, ky, z at k, z at -k, index) once per pair k, -k, except k = 0.
  template <class Visit>
  void for_each_mode(Visit visit) {
    for (int64_t kx = 1; kx <= cutoff_; ++kx) {
      visit(kx, 0, modes_[static_cast<size_t>(kx * fft_.pitch())],
            modes_[static_cast<size_t>((n_ - kx) * fft_.pitch())], index(kx, 0));
    }
    for (int64_t kx = -cutoff_; kx <= cutoff_; ++kx) {
      Complex* here = modes_.data() + grid_row(kx) * fft_.pitch();
      Complex* mirror = modes_.data() + grid_row(-kx) * fft_.pitch() + n_;
      const size_t row = index(kx, 0);
      for (int64_t ky = 1; ky <= cutoff_; ++ky) {
        visit(kx, ky, here[ky], mirror[-ky], row + static_cast<size_t>(ky));
      }
    }
  }

  // z_k = (kx + i ky) w_k / (2 pi |k|^2) at k and, with w_-k = conj w_k, at -k.
  static void put_velocity(int64_t kx, int64_t ky, const Complex& w, Complex& here,
                           Complex& mirror) {
    const double x = static_cast<double>(kx), y = static_cast<double>(ky);
    const double scale = 1 / (kTwoPi * (x * x + y * y));
    const double a = scale * w.real(), b = scale * w.imag();
    here = {x * a - y * b, x * b + y * a};
    mirror = {-(x * a + y * b), x * b - y * a};
  }

  // Modes of z -> modes of z^2 times n^2. Leaves the largest |u| + |v| in speed_.
  void square_velocity() {
    const int64_t pitch = fft_.pitch();
    modes_[0] = 0;
    std::fill(modes_.begin() + (cutoff_ + 1) * pitch, modes_.begin() + (n_ - cutoff_) * pitch,
              Complex{});
    fft_.columns_to_values(modes_.data());
    std::array<double, kLanes> fastest{};
    for (int64_t row = 0; row < n_; row += fft_.block()) {
      Complex* rows = modes_.data() + row * pitch;
      fft_.rows_to_values(rows, values_.data());
      square(fastest);
      fft_.rows_to_modes(values_.data(), rows);
      for (int64_t i = 0; i < fft_.block(); ++i, rows += pitch) {
        std::fill(rows + cutoff_ + 1, rows + n_ - cutoff_, Complex{});
      }
    }
    fft_.columns_to_modes(modes_.data());
    speed_ = 0;
    for (const double lane : fastest) speed_ = lane < speed_ ? speed_ : lane;
  }

  // Squares the block in place. Separate maxima per lane let the loop vectorise. A comparison with
  // NaN is false, which here keeps the NaN; transforms spread one to every point, so it survives.
  void square(std::array<double, kLanes>& fastest) {
    double* z = reinterpret_cast<double*>(values_.data());
    for (size_t i = 0; i < values_.size(); i += kLanes, z += 2 * kLanes) {
      for (size_t lane = 0; lane < kLanes; ++lane) {
        const double u = z[2 * lane], v = z[2 * lane + 1];
        const double speed = std::abs(u) + std::abs(v);
        fastest[lane] = speed < fastest[lane] ? fastest[lane] : speed;
        z[2 * lane] = (u - v) * (u + v);
        z[2 * lane + 1] = 2 * u * v;
      }
    }
  }

  double longest_step() const {
    return std::min(kLongestStep, length_.courant / (static_cast<double>(n_) * speed_));
  }

  // One step of length dt. On entry modes_ holds z^2 of the state, on return z of the new one.
  void step(double dt) {
    for (int64_t k = 0; k <= cutoff_; ++k) {
      const double rate = viscosity_ * kTwoPi * kTwoPi * static_cast<double>(k * k);
      half_decay_[static_cast<size_t>(k)] = std::exp(-rate * dt / 2);
    }
    finish_stage<0>(dt);
    square_velocity();
    finish_stage<1>(dt);
    square_velocity();
    finish_stage<2>(dt);
    square_velocity();
    finish_stage<3>(dt);
  }

  // From the modes of z^2 to the slope of the stage, the next stage's vorticity and its z, in one
  // pass and in place.
  template <int stage>
  void finish_stage(double dt) {
    const double scale = kTwoPi * kTwoPi / (4 * static_cast<double>(n_) * static_cast<double>(n_));
    for_each_mode([&](int64_t kx, int64_t ky, Complex& here, Complex& mirror, size_t i) {
      const double x = static_cast<double>(kx), y = static_cast<double>(ky);
      // With Z the modes of z^2: u^2 - v^2 has (Z_k + conj Z_-k) / 2, 2 u v has
      // (Z_k - conj Z_-k) / 2i; the operator above gives the two weights.
      const double even = scale * (x * x - y * y), odd = -2 * scale * x * y;
      const Complex slope =
          forcing_[i] +
          Complex(even * (here.imag() + mirror.imag()) + odd * (here.real() + mirror.real()),
                  even * (mirror.real() - here.real()) + odd * (here.imag() - mirror.imag()));
      const double half =
          half_decay_[static_cast<size_t>(std::abs(kx))] * half_decay_[static_cast<size_t>(ky)];
      put_velocity(kx, ky, next_stage<stage>(half, dt, slope, vorticity_[i], sum_[i]), here,
                   mirror);
    });
  }

  // Runge-Kutta at one mode. `half` is the decay over dt/2; `sum` collects the new state. Returns
  // where the next slope is taken.
  template <int stage>
  static Complex next_stage(double half, double dt, const Complex& slope, Complex& w,
                            Complex& sum) {
    const double full = half * half;
    if constexpr (stage == 0) {
      sum = full * (w + dt / 6 * slope);
      return half * (w + dt / 2 * slope);
    } else if constexpr (stage == 1) {
      sum += half * dt / 3 * slope;
      return half * w + dt / 2 * slope;
    } else if constexpr (stage == 2) {
      sum += half * dt / 3 * slope;
      return full * w + half * dt * slope;
    } else {
      w = sum + dt / 6 * slope;
      return w;
    }
  }

  int64_t n_;
  int64_t cutoff_;
  double viscosity_;
  StepLength length_;
  TruncatedFft2d fft_;
  AlignedVector<Complex> modes_;   // z or z^2, [kx][ky] at the transform's pitch
  AlignedVector<Complex> values_;  // one block of rows on the grid
  AlignedVector<Complex> vorticity_;
  AlignedVector<Complex> sum_;
  AlignedVector<Complex> forcing_;
  std::vector<double> half_decay_;
  double speed_ = 0;
};

class FnoScheme : public VorticitySolver {
 public:
  FnoScheme(const VorticityFlow& flow, double dt)
      : n_(flow.resolution),
        columns_(flow.resolution / 2 + 1),
        viscosity_(flow.viscosity),
        dt_(dt),
        fft_(n_),
        forcing_(flow.forcing) {
    if (forcing_.empty()) forcing_.resize(spectrum_size(n_));
    vorticity_.resize(spectrum_size(n_));
    for (Spectrum* modes : {&u_modes_, &v_modes_, &w_x_modes_, &w_y_modes_}) {
      modes->resize(spectrum_size(n_));
    }
  }

  void set(const Spectrum& vorticity) override {
    ensure(vorticity.size() == spectrum_size(n_), "FnoScheme: vorticity of another resolution");
    vorticity_ = vorticity;
  }

  Spectrum vorticity() const override { return vorticity_; }

  AdvanceReport advance(double duration) override {
    AdvanceReport report;
    if (duration <= 0) return report;
    const int64_t steps = steps_for(duration, dt_);
    // Transforms spread a NaN to every mode, so one mode tells.
    while (report.steps < steps && std::isfinite(vorticity_[1].real())) {
      step(duration / static_cast<double>(steps));
      ++report.steps;
    }
    report.finite = all_finite(vorticity_);
    return report;
  }

 private:
  // The wavenumber that a derivative multiplies by: the Nyquist mode of a real field has none.
  double derivative(int64_t row) const {
    return row == n_ / 2 ? 0 : kTwoPi * static_cast<double>(wavenumber(row, n_));
  }
  double laplacian(int64_t row, int64_t column) const {
    const int64_t kx = wavenumber(row, n_);
    return kTwoPi * kTwoPi * static_cast<double>(kx * kx + column * column);
  }
  bool kept(int64_t row, int64_t column) const {
    return 3 * std::max(std::abs(wavenumber(row, n_)), column) <= n_;
  }

  void step(double dt) {
    differentiate();
    fft_.to_field(u_modes_, u_);
    fft_.to_field(v_modes_, v_);
    fft_.to_field(w_x_modes_, w_x_);
    fft_.to_field(w_y_modes_, w_y_);
    for (size_t i = 0; i < u_.size(); ++i) u_[i] = u_[i] * w_x_[i] + v_[i] * w_y_[i];
    fft_.to_spectrum(u_, u_modes_);
    for (int64_t row = 0; row < n_; ++row) {
      for (int64_t column = 0; column < columns_; ++column) {
        const size_t i = static_cast<size_t>(row * columns_ + column);
        const double diffusion = 0.5 * dt * viscosity_ * laplacian(row, column);
        const Complex advection = kept(row, column) ? u_modes_[i] : Complex{};
        vorticity_[i] =
            (dt * (forcing_[i] - advection) + (1 - diffusion) * vorticity_[i]) / (1 + diffusion);
      }
    }
  }

  // Modes of u, v, w_x and w_y.
  void differentiate() {
    for (int64_t row = 0; row < n_; ++row) {
      const double x = derivative(row);
      for (int64_t column = 0; column < columns_; ++column) {
        const size_t i = static_cast<size_t>(row * columns_ + column);
        const double y = derivative(column);
        const Complex w = vorticity_[i];
        const Complex turned(-w.imag(), w.real());  // i w
        const double laplace = laplacian(row, column);
        const double inverse = laplace > 0 ? 1 / laplace : 0;
        u_modes_[i] = y * inverse * turned;
        v_modes_[i] = -x * inverse * turned;
        w_x_modes_[i] = x * turned;
        w_y_modes_[i] = y * turned;
      }
    }
  }

  int64_t n_;
  int64_t columns_;
  double viscosity_;
  double dt_;
  RealFft2d fft_;
  Spectrum forcing_;
  Spectrum vorticity_;
  Spectrum u_modes_, v_modes_, w_x_modes_, w_y_modes_;
  Field u_, v_, w_x_, w_y_;
};

}  // namespace

Spectrum diagonal_forcing(int64_t resolution, double amplitude) {
  Spectrum forcing(spectrum_size(resolution));
  // sin + cos of the phase of mode (1, 1); its conjugate at (-1, -1) is not stored.
  forcing[static_cast<size_t>(resolution / 2 + 2)] = {0.5 * amplitude, -0.5 * amplitude};
  return forcing;
}

std::unique_ptr<VorticitySolver> make_ifrk4(const VorticityFlow& flow, const StepLength& length) {
  check(flow);
  ensure(length.dt > 0 || length.courant > 0, "make_ifrk4: no step length");
  return std::make_unique<Ifrk4>(flow, length);
}

std::unique_ptr<VorticitySolver> make_fno_scheme(const VorticityFlow& flow, double dt) {
  check(flow);
  ensure(dt > 0, "make_fno_scheme: dt must be positive");
  return std::make_unique<FnoScheme>(flow, dt);
}

}  // namespace roundtrip
