// Written from the description in Li et al. 2021, appendix A.3.3: four real transforms to the grid
// (u, v, w_x, w_y) and one back per step.
#include "roundtrip/systems/fno_scheme.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"

namespace roundtrip {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

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
      stop_if_interrupted();
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

std::unique_ptr<VorticitySolver> make_fno_scheme(const VorticityFlow& flow, double dt) {
  flow.check();
  ensure(dt > 0, "make_fno_scheme: dt must be positive");
  return std::make_unique<FnoScheme>(flow, dt);
}

}  // namespace roundtrip
