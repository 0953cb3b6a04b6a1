#include "roundtrip/calibration/polynomial_gaussian.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "roundtrip/base/error.h"
#include "roundtrip/calibration/polynomial_design.h"
#include "roundtrip/calibration/polynomial_range.h"
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

// The mean is a sum of powers of single inputs and of products of two, so its derivative along a
// direction is a sum of polynomials in one input each, and the least value over a box the sum of
// theirs.
double PolynomialGaussian::least_slope(std::span<const double> rates) const {
  ensure(rates.size() == inputs.size(), "one rate per input");
  const auto rate = [&](size_t k) { return rates[k] / inputs[k].scale; };  // of z_k
  std::vector<std::vector<double>> slopes(inputs.size());  // in z_k, by power
  for (const MeanTerm& term : mean_term_list(form, degrees.mean)) {
    const double coefficient = mean[term.index];
    const auto add = [&](size_t input, size_t power, double value) {
      std::vector<double>& slope = slopes[input];
      slope.resize(std::max(slope.size(), power + 1));
      slope[power] += value;
    };
    if (term.other) {
      add(*term.other, 1, coefficient * rate(term.input));
      add(term.input, 1, coefficient * rate(*term.other));
    } else {
      add(term.input, term.power - 1, coefficient * static_cast<double>(term.power) *
                                          rate(term.input));
    }
  }
  double least = 0;
  for (size_t k = 0; k < inputs.size(); ++k) {
    least += least_value(slopes[k], inputs[k].standardise(inputs[k].low),
                         inputs[k].standardise(inputs[k].high));
  }
  return least;
}

bool PolynomialGaussian::rises() const {
  std::vector<double> alone(inputs.size(), 0.0), together = alone;
  double longest = 0;
  bool first = true;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const double length = inputs[k].high - inputs[k].low;
    if (!form.is_level(k) || length == 0) continue;  // what never varies is clamped to one value
    together[k] = 1;
    if (first) alone[k] = 1;
    first = false;
    longest = std::max(longest, length);
  }
  // Rounding is no fall: one of 1e-9 over the whole support, 1e-7 percent of E.
  const double bound = -1e-9 / std::max(longest, 1e-9);
  return least_slope(alone) >= bound && least_slope(together) >= bound;
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
