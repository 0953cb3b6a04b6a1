#pragma once

#include <memory>

#include "roundtrip/systems/navier_stokes_solver.h"

namespace roundtrip {

/// The scheme of the Fourier neural operator's data, for comparison: explicit Euler for advection
/// and forcing, Crank-Nicolson for diffusion, products in advective form, the 2/3 mask on the
/// nonlinear term only. First order in time; theirs runs in single precision, this in double.
std::unique_ptr<VorticitySolver> make_fno_scheme(const VorticityFlow& flow, double dt);

}  // namespace roundtrip
