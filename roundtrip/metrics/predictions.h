#pragma once

#include <span>
#include <vector>

namespace roundtrip {

/// Gaussian predictions beside what came true, row by row: y ~ N(mean, sigma^2). For calibrators y
/// and mean are natural logarithms of errors.
struct Predictions {
  std::span<const double> y;
  std::span<const double> mean;
  std::span<const double> sigma;

  size_t size() const { return y.size(); }
};

/// An Error unless there are rows, all finite, with sigma above zero.
void check(const Predictions& predictions);

/// Errors in units of the predicted deviation, (y - mean) / sigma.
std::vector<double> z_scores(const Predictions& predictions);

}  // namespace roundtrip
