#pragma once

#include <span>
#include <vector>

#include "roundtrip/calibration/gaussian_likelihood.h"
#include "roundtrip/calibration/polynomial_gaussian.h"

namespace roundtrip {

/// Centre (mean), scale (standard deviation, 1 where the input never varies) and support of every
/// input over the given rows.
std::vector<InputRange> input_ranges(const Samples& samples, std::span<const size_t> rows);

/// How many columns of a design the model of these degrees takes.
DesignSize design_size(const ModelForm& form, Degrees degrees);

/// The design matrices of some rows up to the given degrees, inputs clamped and standardised.
GaussianDesign make_design(const Samples& samples, std::span<const size_t> rows,
                           const ModelForm& form, const std::vector<InputRange>& ranges,
                           Degrees highest);

}  // namespace roundtrip
