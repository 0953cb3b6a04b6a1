#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "roundtrip/data/frame_windows.h"
#include "roundtrip/rollout/stepper.h"
#include "roundtrip/trust/latent_error.h"

namespace roundtrip {

// Two backward legs, one from the true window s_i at depth i and one from the predicted one, move
// apart or together. If every step keeps their distance within factors mu and L, then
//   (max{mu^i sqrt(E_pair) - delta, 0})^2 <= C <= (L^i sqrt(E_pair) + delta)^2      (sandwich)
//   sqrt(E) <= sqrt(w) mu^-i (sqrt(C) + delta)                                      (certificate)
// with distances in the root-mean-square norm over a window of w frames (the paper: 2) and delta
// the residual of the true leg.

/// What the two legs from one depth show.
struct CertificateRow {
  int64_t depth = 0;
  double E = 0, window_error = 0;  // of the frame; of the window (E_pair with two contexts)
  double C = 0, delta = 0;         // over the whole window
  double mu = 0, L = 0;            // realised: smallest and largest factor of a step
  double realised = 0;             // factor over the whole way back, mu^i <= realised <= L^i
  double lower = 0, upper = 0;     // sandwich around C
  double bound = 0;                // certificate: E is at most this; infinite where mu is 0
};

/// Whether both legs are anchored at the true frame of the turn, so that they follow one map, or
/// each at its own, as rollouts do: then mu and L are of two maps. With realised factors the bounds
/// hold either way.
enum class LegAnchors { shared, own };

/// Rolls out from the first frames of `truth` (T, F, h, w) and back from every depth.
/// `initial_frames` is the number of known frames.
std::vector<CertificateRow> certify(Stepper& stepper, const LatentError& error,
                                    const torch::Tensor& truth, int64_t initial_frames,
                                    const std::vector<int64_t>& depths, LegAnchors anchors,
                                    int64_t batch = 64);

/// Factors by which one step changes small differences of the window it sees.
struct StepConstants {
  double mu = 0, L = 0;
};

/// Of a step from one window (one row), by finite differences along `probes` random directions of
/// size epsilon (root mean square): mu from above and L from below, since random directions miss
/// the extreme ones.
StepConstants probe_constants(Stepper& stepper, const FrameWindows& window, int64_t probes,
                              double epsilon, uint64_t seed);

/// Extreme singular values of the step's Jacobian on windows, by power iteration on J^T J and on
/// its complement: L from below, mu from above, better with more `iterations`. Needs gradients.
StepConstants jacobian_constants(Stepper& stepper, const FrameWindows& window, int64_t iterations,
                                 double epsilon, uint64_t seed);

}  // namespace roundtrip
