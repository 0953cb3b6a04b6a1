#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace roundtrip {

/// A Gaussian over the natural logarithm of an error.
struct GaussianPrediction {
  double mean = 0;
  double sigma = 0;
};

/// Degrees of the polynomials of the mean (p) and of log sigma (q).
struct Degrees {
  int64_t mean = 1;
  int64_t log_sigma = 0;

  bool operator==(const Degrees&) const = default;
};

/// How inputs enter. A polynomial input enters the mean to degree p and log sigma to degree q; a
/// linear one enters both once, whatever the degrees; a product of two enters the mean.
struct ModelForm {
  std::vector<bool> polynomial;                     // one per input
  std::vector<std::pair<size_t, size_t>> products;  // indices of inputs
  /// One per input, or empty for none: whether a factor on the signal shifts this input, as it
  /// shifts log C and every mean of log C. The first of them is the signal itself.
  std::vector<bool> level = {};
  std::vector<bool> left_out = {};  // one per input, or empty for none: enters nothing

  bool enters(size_t input) const { return left_out.empty() || !left_out[input]; }
  bool is_level(size_t input) const { return !level.empty() && level[input] && enters(input); }

  bool operator==(const ModelForm&) const = default;
};

/// Standardisation of an input, z = (x - centre) / scale, and what the fit has seen of it. A value
/// outside [low, high] is taken as the nearer end: a polynomial means nothing out there.
struct InputRange {
  double centre = 0;
  double scale = 1;
  double low = 0;
  double high = 0;

  double standardise(double x) const;
};

/// What a calibrator is fitted to: n rows, those of one trajectory together.
struct Samples {
  size_t inputs = 0;
  std::vector<double> x;            // (n, inputs), row by row; finite
  std::vector<double> y;            // (n), log errors; finite
  std::vector<int64_t> trajectory;  // (n)

  size_t size() const { return y.size(); }
  std::span<const double> row(size_t i) const { return std::span(x).subspan(i * inputs, inputs); }
};

/// The heteroscedastic Gaussian of the paper: polynomial mean and log sigma of log E. Coefficients
/// stand in the order of `mean_terms` and `log_sigma_terms`.
struct PolynomialGaussian {
  ModelForm form;
  Degrees degrees;
  std::vector<InputRange> inputs;
  std::vector<double> mean;
  std::vector<double> log_sigma;

  /// Inputs beyond the support, infinite ones too, are clamped; an Error for NaN.
  GaussianPrediction predict(std::span<const double> x) const;
  /// Whether a larger signal never has a smaller mean over the support of all inputs: neither
  /// where the signal's first input alone grows, at any value of the others, nor where all of its
  /// levels do, as they do when a whole curve is larger by a factor. True without a signal.
  bool rises() const;
  /// The least derivative of the mean over the support of all inputs, along inputs that move with
  /// these rates (one per input, in units of the input itself).
  double least_slope(std::span<const double> rates) const;
};

/// The terms of the polynomials as text: "1", "z0", "z0*z1", "z0^2"; z0 is the first standardised
/// input. Smaller degrees are the first terms of larger ones.
std::vector<std::string> mean_terms(const ModelForm& form, int64_t degree);
std::vector<std::string> log_sigma_terms(const ModelForm& form, int64_t degree);

struct PolynomialFit {
  PolynomialGaussian model;
  bool converged = false;
};

/// Maximum likelihood at given degrees. At least one row.
PolynomialFit fit_polynomial_gaussian(const Samples& samples, const ModelForm& form,
                                      Degrees degrees);

}  // namespace roundtrip
