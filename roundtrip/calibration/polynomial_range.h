#pragma once

#include <span>

namespace roundtrip {

/// The least value of the polynomial sum_k coefficients[k] z^k over [low, high]; 0 for no
/// coefficients.
double least_value(std::span<const double> coefficients, double low, double high);

}  // namespace roundtrip
