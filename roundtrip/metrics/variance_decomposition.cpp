// x_ij = m_j + b_i + w_ij for trajectory i and depth j, n trajectories, D depths. Two-way analysis
// of variance without repetition: the residuals after taking off depth means and trajectory means
// have (n - 1)(D - 1) degrees of freedom, which gives sigma_w^2; the trajectory means vary by
// sigma_b^2 + sigma_w^2 / D, which gives sigma_b^2.
//
// The ceiling with noise that co-moves. At a fixed depth, with b and w independent of each other,
//   cov(C, E) = rho_f sigma_b^C sigma_b^E + r_w sigma_w^C sigma_w^E,
// rho_f the correlation of the factors and r_w that of the noises. Divided by the total deviations,
// and with sigma_b / total = sqrt(ICC), sigma_w / total = sqrt(1 - ICC):
//   rho = rho_f sqrt(ICC_C ICC_E) + r_w sqrt((1 - ICC_C)(1 - ICC_E)).
// The first term is Spearman's attenuation formula (1904) and the paper's ceiling; it leaves out
// the second, though C and E share the forward leg and hence part of their noise.
#include "roundtrip/metrics/variance_decomposition.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/checks.h"
#include "roundtrip/metrics/correlation.h"

namespace roundtrip {
namespace {

constexpr double kRounding = 1e-14;  // residuals this small are rounding, not noise

double share(double part, double rest) { return part + rest > 0 ? part / (part + rest) : 0; }

struct Residuals {
  std::vector<double> factors;  // mean of each trajectory after the depth means are taken off
  std::vector<double> noise;    // [trajectory, depth], what is left
};

Residuals take_apart(const CurveGrid& grid) {
  const size_t n = grid.trajectories.size(), depths = grid.depths.size();
  if (n < 2 || depths < 2) {
    throw Error("stats", fmt::format("variance decomposition: expected at least 2 trajectories and "
                                     "2 depths, found {} and {}",
                                     n, depths));
  }
  require_finite(grid.values, "variance decomposition");
  Residuals result{std::vector<double>(n), grid.values};
  for (size_t j = 0; j < depths; ++j) {
    // From the first trajectory on: values that are all equal leave exactly nothing.
    const double origin = grid.values[j];
    double mean = 0;
    for (size_t i = 0; i < n; ++i) mean += grid.values[i * depths + j] - origin;
    mean /= static_cast<double>(n);
    for (size_t i = 0; i < n; ++i) {
      double& value = result.noise[i * depths + j];
      value = value - origin - mean;
      result.factors[i] += value / static_cast<double>(depths);
    }
  }
  double largest = 0, noise = 0;
  for (size_t k = 0; k < result.noise.size(); ++k) {
    result.noise[k] -= result.factors[k / depths];
    largest = std::max(largest, std::abs(grid.values[k]));
    noise = std::max(noise, std::abs(result.noise[k]));
  }
  if (noise <= kRounding * largest) std::fill(result.noise.begin(), result.noise.end(), 0.0);
  return result;
}

double sum_of_squares(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

}  // namespace

double VarianceDecomposition::icc() const { return share(between * between, within * within); }

double VarianceDecomposition::reliability() const { return std::sqrt(icc()); }

double VarianceDecomposition::mean_reliability(int64_t count) const {
  ensure(count >= 1, "a mean over no depths");
  return std::sqrt(share(between * between, within * within / static_cast<double>(count)));
}

VarianceDecomposition decompose_variance(const CurveGrid& log_values) {
  const Residuals parts = take_apart(log_values);
  VarianceDecomposition result;
  result.trajectories = static_cast<int64_t>(log_values.trajectories.size());
  result.depths = static_cast<int64_t>(log_values.depths.size());
  const auto n = static_cast<double>(result.trajectories), d = static_cast<double>(result.depths);
  const double within = sum_of_squares(parts.noise) / ((n - 1) * (d - 1));
  const double of_means = sum_of_squares(parts.factors) / (n - 1);  // their mean is zero
  result.within = std::sqrt(within);
  result.between = std::sqrt(std::max(0.0, of_means - within / d));
  return result;
}

std::optional<double> noise_correlation(const CurveGrid& log_a, const CurveGrid& log_b) {
  if (log_a.trajectories != log_b.trajectories || log_a.depths != log_b.depths) {
    throw Error("stats",
                "noise correlation: expected the same trajectories and depths of both "
                "quantities, found others");
  }
  return pearson(take_apart(log_a).noise, take_apart(log_b).noise);
}

double correlation_ceiling(const VarianceDecomposition& c, const VarianceDecomposition& e,
                           double noise, double factors) {
  return factors * c.reliability() * e.reliability() +
         noise * std::sqrt((1 - c.icc()) * (1 - e.icc()));
}

double recoverable_gain(const VarianceDecomposition& e, double reading) {
  return -0.5 * std::log1p(-e.icc() * reading * reading);
}

}  // namespace roundtrip
