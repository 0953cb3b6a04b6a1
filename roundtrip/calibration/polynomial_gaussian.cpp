#include "roundtrip/calibration/polynomial_gaussian.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "roundtrip/base/error.h"
#include "roundtrip/calibration/polynomial_design.h"
#include "roundtrip/calibration/polynomial_terms.h"

namespace roundtrip {

double InputRange::standardise(double x) const {
  return (std::clamp(x, low, high) - centre) / scale;
}

GaussianPrediction PolynomialGaussian::predict(std::span<const double> x) const {
  ensure(x.size() == inputs.size(), "a calibrator gets as many inputs as it was fitted with");
  std::vector<double> z(x.size()), terms;
  for (size_t k = 0; k < x.size(); ++k) {
    if (std::isnan(x[k])) throw Error("calibrator", "an input is not a number");
    z[k] = inputs[k].standardise(x[k]);
  }
  fill_mean_terms(form, degrees.mean, z, terms);
  const double centre = std::inner_product(terms.begin(), terms.end(), mean.begin(), 0.0);
  fill_log_sigma_terms(form, degrees.log_sigma, z, terms);
  const double s = std::inner_product(terms.begin(), terms.end(), log_sigma.begin(), 0.0);
  return {.mean = centre, .sigma = std::max(std::exp(s), kSigmaFloor)};
}

bool PolynomialGaussian::monotone() const {
  if (inputs.empty() || !form.polynomial[0]) return true;
  constexpr int kPoints = 512;  // a polynomial of degree 5 turns at most four times
  std::vector<double> terms, z(inputs.size(), 0.0);
  bool rises = false, falls = false;
  double before = 0;
  for (int i = 0; i <= kPoints; ++i) {
    const InputRange& range = inputs[0];
    z[0] = range.standardise(range.low + (range.high - range.low) * i / kPoints);
    fill_mean_terms(form, degrees.mean, z, terms);
    const double value = std::inner_product(terms.begin(), terms.end(), mean.begin(), 0.0);
    // Rounding is no turn; nor is a dip no one could measure.
    if (i > 0 && value > before + 1e-9) rises = true;
    if (i > 0 && value < before - 1e-9) falls = true;
    before = value;
  }
  return !(rises && falls);
}

PolynomialFit fit_polynomial_gaussian(const Samples& samples, const ModelForm& form,
                                      Degrees degrees) {
  ensure(samples.size() > 0, "a fit has at least one row");
  ensure(samples.inputs == form.polynomial.size(), "one role per input");
  std::vector<size_t> rows(samples.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  const std::vector<InputRange> ranges = input_ranges(samples, rows);
  const GaussianDesign design = make_design(samples, rows, form, ranges, degrees);
  const DesignSize size = design_size(form, degrees);
  const LikelihoodFit fit = minimise_likelihood(design, size, least_squares_start(design, size));
  const double* theta = fit.coefficients.data();
  return {.model = {.form = form,
                    .degrees = degrees,
                    .inputs = ranges,
                    .mean = {theta, theta + size.mean},
                    .log_sigma = {theta + size.mean, theta + size.mean + size.log_sigma}},
          .converged = fit.converged};
}

}  // namespace roundtrip
