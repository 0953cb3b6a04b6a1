#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "roundtrip/calibration/polynomial_gaussian.h"

namespace roundtrip {

// The terms of both polynomials in one place: their number, their values at standardised inputs z,
// their names. Order: constant, linear inputs, products (mean only), then degree by degree, so that
// a lower degree is a prefix of a higher one.

/// A term of the mean but the constant one: z_input^power, or z_input * z_other.
struct MeanTerm {
  size_t index = 0;  // in the list of coefficients
  size_t input = 0;
  size_t power = 1;
  std::optional<size_t> other = {};
};
std::vector<MeanTerm> mean_term_list(const ModelForm& form, int64_t degree);

size_t count_mean_terms(const ModelForm& form, int64_t degree);
size_t count_log_sigma_terms(const ModelForm& form, int64_t degree);

void fill_mean_terms(const ModelForm& form, int64_t degree, std::span<const double> z,
                     std::vector<double>& terms);
void fill_log_sigma_terms(const ModelForm& form, int64_t degree, std::span<const double> z,
                          std::vector<double>& terms);

}  // namespace roundtrip
