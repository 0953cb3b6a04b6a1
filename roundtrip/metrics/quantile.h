#pragma once

#include <span>
#include <vector>

namespace roundtrip {

/// The value below which the fraction `level` of the values lies, interpolated linearly between
/// neighbours at position level (n - 1): NumPy's default, type 7 of Hyndman & Fan 1996. An Error
/// without values, when one is not finite, or when `level` is outside [0, 1]. Linear in n.
double quantile(std::span<const double> values, double level);

/// Several quantiles of the same values.
std::vector<double> quantiles(std::span<const double> values, std::span<const double> levels);

}  // namespace roundtrip
