#pragma once

#include <span>

namespace roundtrip {

/// Geometric growth of a rollout's error, e_d ~ e_1 r^(d - 1).
struct GrowthFit {
  double first = 0;       // e_1: the fit at depth 1, in units of the error
  double ratio = 0;       // r: growth per step
  double max_misfit = 0;  // largest |fit / e_d - 1| over the depths given
};

/// A straight line through log e_d by least squares, both ends free. An Error with fewer than two
/// different depths or an error that is not finite and above zero.
GrowthFit fit_growth(std::span<const double> depth, std::span<const double> error);

}  // namespace roundtrip
