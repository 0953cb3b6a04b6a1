#pragma once

#include <span>
#include <vector>

namespace roundtrip {

/// Place of each value in ascending order, from 1; equal values share the average of their places.
/// Infinities have their place, NaN has none: an Error.
std::vector<double> average_ranks(std::span<const double> values);

}  // namespace roundtrip
