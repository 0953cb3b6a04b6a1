#pragma once

#include <cstdint>

namespace roundtrip {

/// Probabilities of a count at least as small and at least as large as one that was found.
struct CountTails {
  double at_most = 1;
  double at_least = 1;
};

/// Of `count` among `trials` that each hold with probability `share`, in [0, 1].
CountTails binomial_tails(int64_t count, int64_t trials, double share);

/// The same where the probability itself is drawn from Beta(a, b), both above 0: what n fresh
/// rollouts show of a conformal band whose quantile is the a-th of a + b - 1 scores.
CountTails beta_binomial_tails(int64_t count, int64_t trials, double a, double b);

}  // namespace roundtrip
