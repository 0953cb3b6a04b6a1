#pragma once

namespace roundtrip {

/// Density of the standard normal distribution.
double normal_density(double z);

/// Its cumulative distribution, accurate in both tails.
double normal_cumulative(double z);

/// The z with `probability` below it; -infinity at 0, infinity at 1. An Error outside [0, 1] and
/// for probabilities in (0, 1e-300), where the cumulative distribution has lost its digits.
double normal_quantile(double probability);

}  // namespace roundtrip
