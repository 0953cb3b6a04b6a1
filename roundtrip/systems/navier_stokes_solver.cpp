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
#include <cmath>
#include <cstring>
#include <numbers>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"

namespace roundtrip {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
// A flow at rest allows any step; forcing then needs some limit. Far above what a moving flow
// takes.
constexpr double kLongestStep = 0.1;
// Vorticity of order one has speed of order one; a speed like this is a solution breaking down.
constexpr double kBrokenSpeed = 1e6;

// Two neighbouring complex numbers as the compiler's vector type: re, im, re, im.
using Twin = double __attribute__((vector_size(32)));
// Without AVX such arguments have no fixed convention; ours are all inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

Twin load(const Complex* at) {
  Twin twin;
  std::memcpy(&twin, at, sizeof(twin));
  return twin;
}
void store(const Twin& twin, Complex* at) {
  std::memcpy(reinterpret_cast<double*>(at), &twin, sizeof(twin));
}
// The same two in the other order in memory, as the mirrored half of a row has them.
Twin exchanged(const Twin& a) { return __builtin_shufflevector(a, a, 2, 3, 0, 1); }
// One real factor for each of the two.
Twin spread(const double* at) { return Twin{at[0], at[0], at[1], at[1]}; }
Twin conjugate(const Twin& a) { return a * Twin{1, -1, 1, -1}; }
Twin times_i(const Twin& a) {
  return __builtin_shufflevector(a, a, 1, 0, 3, 2) * Twin{-1, 1, -1, 1};
}
// z^2 = u z + v i z.
Twin squared(const Twin& z) {
  return __builtin_shufflevector(z, z, 0, 0, 2, 2) * z +
         __builtin_shufflevector(z, z, 1, 1, 3, 3) * times_i(z);
}
Twin larger(const Twin& a, const Twin& b) { return b < a ? a : b; }

// The modes are kept as lines of the half plane: line 0 is ky = 0, kx = 1 .. cutoff, and one line
// per kx holds ky = 1 .. cutoff. Lines are filled up to an even length with modes that are always
// zero.
class Ifrk4 : public VorticitySolver {
 public:
  Ifrk4(const VorticityFlow& flow, const StepLength& length)
      : n_(flow.resolution),
        cutoff_((flow.resolution - 1) / 3),
        line_((cutoff_ + 1) / 2 * 2),
        viscosity_(flow.viscosity),
        length_(length),
        fft_(n_, cutoff_),
        modes_(fft_.size()),
        values_(static_cast<size_t>(fft_.block() * n_)),
        axis_(static_cast<size_t>(line_)),
        axis_mirror_(static_cast<size_t>(line_)),
        vorticity_(static_cast<size_t>((2 * cutoff_ + 2) * line_)),
        sum_(vorticity_.size()),
        forcing_(vorticity_.size()),
        half_decay_(static_cast<size_t>(line_ + 1)),
        inverse_(static_cast<size_t>((cutoff_ + 1) * line_)) {
    for (int64_t kx = 0; kx <= cutoff_; ++kx) {
      for (int64_t ky = 1; ky <= cutoff_; ++ky) {
        inverse_[static_cast<size_t>(kx * line_ + ky - 1)] =
            1 / (kTwoPi * static_cast<double>(kx * kx + ky * ky));
      }
    }
    if (!flow.forcing.empty()) gather(flow.forcing, forcing_);
  }

  void set(const Spectrum& vorticity) override {
    ensure(vorticity.size() == spectrum_size(n_), "Ifrk4: vorticity of another resolution");
    gather(vorticity, vorticity_);
    std::fill(modes_.begin(), modes_.end(), Complex{});
    for_each_twin([&](const Wave& k, Twin& here, Twin& mirror, size_t i) {
      put_velocity(k, load(&vorticity_[i]), here, mirror);
    });
  }

  Spectrum vorticity() const override {
    Spectrum all(spectrum_size(n_));
    const int64_t columns = n_ / 2 + 1;
    for (int64_t kx = -cutoff_; kx <= cutoff_; ++kx) {
      const Complex* from = &vorticity_[place_of_line(kx)];
      std::copy(from, from + cutoff_, &all[static_cast<size_t>(grid_row(kx) * columns + 1)]);
    }
    for (int64_t kx = 1; kx <= cutoff_; ++kx) {
      const Complex& c = vorticity_[static_cast<size_t>(kx - 1)];
      all[static_cast<size_t>(kx * columns)] = c;
      all[static_cast<size_t>((n_ - kx) * columns)] = std::conj(c);
    }
    return all;
  }

  AdvanceReport advance(double duration) override {
    AdvanceReport report;
    const int64_t fixed = length_.dt > 0 ? steps_for(duration, length_.dt) : 0;
    double remaining = duration;
    while (remaining > 0) {
      stop_if_interrupted();
      const double speed = square_velocity_and_measure();
      report.finite = speed < kBrokenSpeed;
      if (!report.finite) return report;
      const int64_t left =
          fixed > 0 ? fixed - report.steps : steps_for(remaining, longest_step(speed));
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
  size_t place_on_grid(int64_t kx) const {
    return static_cast<size_t>(grid_row(kx) * fft_.pitch());
  }
  size_t place_of_line(int64_t kx) const { return static_cast<size_t>((kx + cutoff_ + 1) * line_); }

  // The modes we carry; the mean is not among them, as a curl has none.
  void gather(const Spectrum& from, AlignedVector<Complex>& to) const {
    const int64_t columns = n_ / 2 + 1;
    for (int64_t kx = 1; kx <= cutoff_; ++kx) {
      to[static_cast<size_t>(kx - 1)] = from[static_cast<size_t>(kx * columns)];
    }
    for (int64_t kx = -cutoff_; kx <= cutoff_; ++kx) {
      const Complex* row = &from[static_cast<size_t>(grid_row(kx) * columns + 1)];
      std::copy(row, row + cutoff_, &to[place_of_line(kx)]);
    }
  }

  struct Wave {
    Twin x, y;     // k
    Twin inverse;  // 1 / (2 pi |k|^2), and 0 for the modes that fill up a line
    Twin half;     // decay over half a step
  };

  struct Line {
    Twin x, y;            // the first two k
    Twin dx, dy;          // from two k to the next two
    int64_t across;       // |k| across the line
    size_t place;         // of the first mode in vorticity_
    Complex* here;        // z at k: here[0], here[1] ...
    Complex* mirror_end;  // z at -k: mirror_end[-1], mirror_end[-2] ...
  };

  // Calls visit(wave, z at k, z at -k, place) for all pairs k, -k, two at a time; what it leaves in
  // the two z is kept.
  template <class Visit>
  void for_each_twin(Visit visit) {
    constexpr Twin kStill{}, kFirst{1, 1, 2, 2}, kNext{2, 2, 2, 2};
    // Line 0 is a column of modes_; it is brought into rows and back.
    const auto at = [&](int64_t kx) -> Complex& { return modes_[place_on_grid(kx)]; };
    for (int64_t kx = 1; kx <= cutoff_; ++kx) {
      axis_[static_cast<size_t>(kx - 1)] = at(kx);
      axis_mirror_[static_cast<size_t>(line_ - kx)] = at(-kx);
    }
    visit_line({kFirst, kStill, kNext, kStill, 0, 0, axis_.data(), axis_mirror_.data() + line_},
               visit);
    for (int64_t kx = 1; kx <= cutoff_; ++kx) {
      at(kx) = axis_[static_cast<size_t>(kx - 1)];
      at(-kx) = axis_mirror_[static_cast<size_t>(line_ - kx)];
    }
    for (int64_t kx = -cutoff_; kx <= cutoff_; ++kx) {
      const double x = static_cast<double>(kx);
      visit_line({Twin{x, x, x, x}, kFirst, kStill, kNext, std::abs(kx), place_of_line(kx),
                  &at(kx) + 1, &at(-kx) + n_},
                 visit);
    }
  }

  template <class Visit>
  void visit_line(const Line& line, Visit visit) {
    const double* inverse = &inverse_[static_cast<size_t>(line.across * line_)];
    const double* decay = &half_decay_[1];
    const double decay_across = half_decay_[static_cast<size_t>(line.across)];
    Twin x = line.x, y = line.y;
    for (int64_t i = 0, length = line_; i < length; i += 2, x += line.dx, y += line.dy) {
      const Wave wave{x, y, spread(inverse + i), decay_across * spread(decay + i)};
      Complex* here = line.here + i;
      Complex* mirror = line.mirror_end - i - 2;
      Twin at_k = load(here), at_minus_k = exchanged(load(mirror));
      visit(wave, at_k, at_minus_k, line.place + static_cast<size_t>(i));
      store(at_k, here);
      store(exchanged(at_minus_k), mirror);
    }
  }

  // z_k = (kx + i ky) w_k / (2 pi |k|^2) at k and, with w_-k = conj w_k, at -k.
  static void put_velocity(const Wave& k, const Twin& w, Twin& here, Twin& mirror) {
    const Twin psi = k.inverse * w;
    const Twin a = k.x * psi, b = k.y * times_i(psi);
    here = a + b;
    mirror = conjugate(b - a);
  }

  // Modes of z -> modes of z^2 times n^2. Calls on_values() when a block of z is in values_.
  template <class OnValues>
  void square_velocity(OnValues on_values) {
    const int64_t pitch = fft_.pitch();
    modes_[0] = 0;
    std::fill(modes_.begin() + (cutoff_ + 1) * pitch, modes_.begin() + (n_ - cutoff_) * pitch,
              Complex{});
    fft_.columns_to_values(modes_.data());
    for (int64_t row = 0; row < n_; row += fft_.block()) {
      Complex* rows = modes_.data() + row * pitch;
      fft_.rows_to_values(rows, values_.data());
      on_values();
      // By pointers of our own: the compiler would fetch the vector's after every store.
      Complex* const end = values_.data() + values_.size();
      for (Complex* z = values_.data(); z < end; z += 2) store(squared(load(z)), z);
      fft_.rows_to_modes(values_.data(), rows);
      for (int64_t i = 0; i < fft_.block(); ++i, rows += pitch) {
        std::fill(rows + cutoff_ + 1, rows + n_ - cutoff_, Complex{});
      }
    }
    fft_.columns_to_modes(modes_.data());
  }
  void square_velocity() {
    square_velocity([] {});
  }

  // The same; returns max |u| + max |v|, or NaN when the field holds one: a comparison with NaN is
  // false, which in larger() keeps it, and the transforms have spread it to every point.
  double square_velocity_and_measure() {
    Twin a{}, b{};  // two maxima of u^2, v^2, so that one need not wait for the other
    square_velocity([&] {
      // A block is even in both its sides, so four divides it.
      for (size_t i = 0; i < values_.size(); i += 4) {
        const Twin first = load(&values_[i]), second = load(&values_[i + 2]);
        a = larger(a, first * first);
        b = larger(b, second * second);
      }
    });
    a = larger(a, b);
    a = larger(a, exchanged(a));
    return std::sqrt(a[0]) + std::sqrt(a[1]);
  }

  double longest_step(double speed) const {
    return std::min(kLongestStep, length_.courant / (static_cast<double>(n_) * speed));
  }

  // One step of length dt. On entry modes_ holds z^2 of the state, on return z of the new one.
  void step(double dt) {
    for (int64_t k = 0; k <= line_; ++k) {
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
    const Complex* const forcing = forcing_.data();
    Complex* const vorticity = vorticity_.data();
    Complex* const sum = sum_.data();
    for_each_twin([=](const Wave& k, Twin& here, Twin& mirror, size_t i) {
      // With Z the modes of z^2: u^2 - v^2 has (Z_k + conj Z_-k) / 2, 2 u v has
      // (Z_k - conj Z_-k) / 2i; the operator above gives the two weights.
      const Twin reflected = conjugate(mirror);
      const Twin slope =
          load(forcing + i) - scale * (2 * k.x * k.y * (here + reflected) +
                                       (k.x * k.x - k.y * k.y) * times_i(here - reflected));
      put_velocity(k, next_stage<stage>(k.half, dt, slope, vorticity + i, sum + i), here, mirror);
    });
  }

  // Runge-Kutta at two modes. `half` is the decay over dt/2; `sum` collects the new state, which
  // the last stage puts into w. Returns where the next slope is taken.
  template <int stage>
  static Twin next_stage(const Twin& half, double dt, const Twin& slope, Complex* w, Complex* sum) {
    if constexpr (stage == 0) {
      store(half * half * (load(w) + dt / 6 * slope), sum);
      return half * (load(w) + dt / 2 * slope);
    } else if constexpr (stage == 1) {
      store(load(sum) + dt / 3 * half * slope, sum);
      return half * load(w) + dt / 2 * slope;
    } else if constexpr (stage == 2) {
      store(load(sum) + dt / 3 * half * slope, sum);
      return half * (half * load(w) + dt * slope);
    } else {
      const Twin next = load(sum) + dt / 6 * slope;
      store(next, w);
      return next;
    }
  }

  int64_t n_;
  int64_t cutoff_;
  int64_t line_;  // modes in a line: cutoff, or one more to be even
  double viscosity_;
  StepLength length_;
  TruncatedFft2d fft_;
  AlignedVector<Complex> modes_;   // z or z^2, [kx][ky] at the transform's pitch
  AlignedVector<Complex> values_;  // one block of rows on the grid
  AlignedVector<Complex> axis_, axis_mirror_;
  AlignedVector<Complex> vorticity_;  // by lines, like sum_ and forcing_
  AlignedVector<Complex> sum_;
  AlignedVector<Complex> forcing_;
  std::vector<double> half_decay_;  // exp(-nu (2 pi k)^2 dt / 2), k = 0, 1 ...
  std::vector<double> inverse_;     // 1 / (2 pi |k|^2), [|kx|][ky - 1]
};

}  // namespace

int64_t steps_for(double duration, double dt) {
  // The slack keeps 1 / 0.1 at ten steps however it rounds; the ends keep the conversion defined.
  return static_cast<int64_t>(std::clamp(std::ceil(duration / dt * (1 - 1e-12)), 1.0, 1e18));
}

bool all_finite(const AlignedVector<Complex>& modes) {
  return std::all_of(modes.begin(), modes.end(), [](const Complex& c) {
    return std::isfinite(c.real()) && std::isfinite(c.imag());
  });
}

void VorticityFlow::check() const {
  ensure(resolution >= 4 && resolution % 2 == 0, "VorticityFlow: odd resolution");
  ensure(forcing.empty() || forcing.size() == spectrum_size(resolution),
         "VorticityFlow: forcing of another resolution");
}

Spectrum diagonal_forcing(int64_t resolution, double amplitude) {
  Spectrum forcing(spectrum_size(resolution));
  // sin + cos of the phase of mode (1, 1); its conjugate at (-1, -1) is not stored.
  forcing[static_cast<size_t>(resolution / 2 + 2)] = {0.5 * amplitude, -0.5 * amplitude};
  return forcing;
}

std::unique_ptr<VorticitySolver> make_ifrk4(const VorticityFlow& flow, const StepLength& length) {
  flow.check();
  ensure(length.dt > 0 || length.courant > 0, "make_ifrk4: no step length");
  return std::make_unique<Ifrk4>(flow, length);
}

}  // namespace roundtrip
