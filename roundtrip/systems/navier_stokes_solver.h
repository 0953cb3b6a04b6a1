#pragma once

#include <cstdint>
#include <memory>

#include "roundtrip/systems/fft.h"

namespace roundtrip {

/// Incompressible flow on the unit torus in vorticity form:
///     w_t + u . grad w = viscosity Lap w + f,   u = (psi_y, -psi_x),   -Lap psi = w.
struct VorticityFlow {
  int64_t resolution = 128;  // grid points per axis, even
  double viscosity = 1e-5;   // nu
  Spectrum forcing;          // f, constant in time, on this resolution; empty = none

  /// Throws Bug when the sizes do not fit.
  void check() const;
};

/// f = amplitude (sin 2 pi (x + y) + cos 2 pi (x + y)), the forcing of the FNO data.
Spectrum diagonal_forcing(int64_t resolution, double amplitude);

/// How far an advance came.
struct AdvanceReport {
  int64_t steps = 0;
  bool finite = true;  // false: the solution broke down, the state is meaningless
};

/// An integrator with its state. One thread at a time.
class VorticitySolver {
 public:
  virtual ~VorticitySolver() = default;

  /// Sets the vorticity. Modes that the scheme does not carry are dropped.
  virtual void set(const Spectrum& vorticity) = 0;
  virtual Spectrum vorticity() const = 0;
  /// Advances the state by `duration`, in steps that end exactly there.
  virtual AdvanceReport advance(double duration) = 0;
};

/// How long a step is: `dt` if positive, otherwise as long as the flow allows,
/// courant / (resolution * (max |u| + max |v|)). Either is shortened to divide the duration.
struct StepLength {
  double courant = 0.8;  // stable below 1.35 = 2.83 / (2 pi / 3)
  double dt = 0;
};

/// Fourth-order Runge-Kutta with diffusion integrated exactly (integrating factor), 2/3 dealiasing
/// (state and products: |kx|, |ky| < resolution/3). Conserves energy and enstrophy but for
/// viscosity, forcing and the time error. A stage costs one complex transform each way.
std::unique_ptr<VorticitySolver> make_ifrk4(const VorticityFlow& flow, const StepLength& length);

/// The number of steps of at most `dt` that fill `duration`, within 1 and 1e18.
int64_t steps_for(double duration, double dt);
bool all_finite(const AlignedVector<Complex>& modes);

}  // namespace roundtrip
