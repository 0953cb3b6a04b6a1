// CRPS of a Gaussian in closed form: Gneiting & Raftery 2007, equation 21. Sharpness as
// uncertainty-toolbox has it (Chung et al. 2021).
#include "roundtrip/metrics/gaussian_scores.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/checks.h"
#include "roundtrip/metrics/normal.h"
#include "roundtrip/metrics/quantile.h"

namespace roundtrip {

double gaussian_nll(double y, double mean, double sigma) {
  static const double kHalfLog2Pi = 0.5 * std::log(2 * std::numbers::pi);
  const double z = (y - mean) / sigma;
  return std::log(sigma) + kHalfLog2Pi + 0.5 * z * z;
}

double gaussian_crps(double y, double mean, double sigma) {
  const double error = std::abs(y - mean);
  const double z = error / sigma;
  // The error times its probability first: right also where z is too large for a double.
  return error * std::erf(z / std::numbers::sqrt2) +
         sigma * (2 * normal_density(z) - std::numbers::inv_sqrtpi);
}

GaussianScores gaussian_scores(const Predictions& predictions) {
  check(predictions);
  const size_t rows = predictions.size();
  const auto n = static_cast<double>(rows);
  GaussianScores scores;
  scores.n = static_cast<int64_t>(rows);
  std::vector<double> distance(rows);
  double square = 0, sigma_square = 0;
  int64_t within_one = 0, within_two = 0;
  for (size_t i = 0; i < rows; ++i) {
    const double y = predictions.y[i], mean = predictions.mean[i], sigma = predictions.sigma[i];
    distance[i] = std::abs(y - mean);
    const double z = distance[i] / sigma;
    within_one += z <= 1;
    within_two += z <= 2;
    square += distance[i] * distance[i];
    sigma_square += sigma * sigma;
    scores.nll += gaussian_nll(y, mean, sigma);
    scores.crps += gaussian_crps(y, mean, sigma);
  }
  scores.nll /= n;
  scores.crps /= n;
  scores.rmse = std::sqrt(square / n);
  scores.sharpness = std::sqrt(sigma_square / n);
  scores.cov68 = static_cast<double>(within_one) / n;
  scores.cov95 = static_cast<double>(within_two) / n;
  const std::vector<double> ends = quantiles(distance, {{0.68, 0.95}});
  scores.x68 = std::exp(ends[0]);
  scores.x95 = std::exp(ends[1]);
  return scores;
}

ZDiagnostics z_diagnostics(std::span<const double> z) {
  if (z.empty()) throw Error("stats", "z-scores: expected at least one, found none");
  require_finite(z, "z-scores");
  const auto n = static_cast<double>(z.size());
  const auto inside = std::count_if(z.begin(), z.end(), [](double x) { return std::abs(x) < 1; });
  ZDiagnostics result{.within_one = static_cast<double>(inside) / n, .kurtosis = {}, .excess = {}};
  const auto [least, greatest] = std::minmax_element(z.begin(), z.end());
  if (*least == *greatest) return result;
  // Kurtosis has no unit: dividing by the largest keeps fourth powers inside a double.
  const double scale = std::max(std::abs(*least), std::abs(*greatest));
  double mean = 0, second = 0, fourth = 0;
  for (const double x : z) mean += x / scale;
  mean /= n;
  for (const double x : z) {
    const double square = (x / scale - mean) * (x / scale - mean);
    second += square / n;
    fourth += square * square / n;
  }
  result.kurtosis = fourth / (second * second);
  result.excess = *result.kurtosis - 3;
  return result;
}

}  // namespace roundtrip
