// VRMSE: Ohana et al. 2024 (the Well). Relative L2 over the whole block of a trajectory: Li et al.
// 2021 (FNO), without an epsilon.
#include "roundtrip/metrics/field_errors.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/moments.h"

namespace roundtrip {
namespace {

constexpr double kWellEpsilon = 1e-7;
constexpr double kLargest = 1e150;  // squares of larger ones do not fit a double

template <class Value>
void check_truth(std::span<const Value> predicted, std::span<const Value> truth) {
  ensure(predicted.size() == truth.size(), "predicted and true fields differ in size");
  if (truth.empty()) throw Error("stats", "field error: expected values, found none");
  for (const Value value : truth) {
    if (!(std::abs(static_cast<double>(value)) < kLargest)) {
      throw Error("stats",
                  fmt::format("field error: expected a finite truth below {}, found {} in it",
                              kLargest, value));
    }
  }
}

// The sum of `term` over all differences; infinite when one is not finite.
template <class Value, class Term>
double sum_of_differences(std::span<const Value> predicted, std::span<const Value> truth,
                          Term term) {
  double sum = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    sum += term(static_cast<double>(predicted[i]) - static_cast<double>(truth[i]));
  }
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
}

double square(double x) { return x * x; }
double absolute(double x) { return std::abs(x); }

template <class Value>
double vrmse_of(std::span<const Value> predicted, std::span<const Value> truth) {
  check_truth(predicted, truth);
  if (truth.size() < 2) throw Error("stats", "VRMSE: expected at least two values, found one");
  const auto count = static_cast<double>(truth.size());
  Moments moments;
  moments.add(truth);
  const double variance = moments.variance() * count / (count - 1);
  const double mean_square = sum_of_differences(predicted, truth, square) / count;
  return std::sqrt(mean_square / (variance + kWellEpsilon));
}

template <class Value>
std::optional<double> relative_l2_of(std::span<const Value> predicted,
                                     std::span<const Value> truth) {
  check_truth(predicted, truth);
  double norm = 0;
  for (const Value value : truth) norm += square(static_cast<double>(value));
  if (norm == 0) return std::nullopt;
  return std::sqrt(sum_of_differences(predicted, truth, square) / norm);
}

template <class Value>
std::optional<double> mean_relative_l2_of(std::span<const Value> predicted,
                                          std::span<const Value> truth, int64_t trajectories) {
  check_truth(predicted, truth);
  const auto count = static_cast<size_t>(trajectories);
  ensure(trajectories > 0 && truth.size() % count == 0, "trajectories of unequal size");
  const size_t size = truth.size() / count;
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto one =
        relative_l2_of(predicted.subspan(i * size, size), truth.subspan(i * size, size));
    if (!one) return std::nullopt;
    sum += *one;
  }
  return sum / static_cast<double>(count);
}

template <class Value>
double mean_absolute_of(std::span<const Value> predicted, std::span<const Value> truth) {
  check_truth(predicted, truth);
  return sum_of_differences(predicted, truth, absolute) / static_cast<double>(truth.size());
}

}  // namespace

double vrmse(std::span<const float> predicted, std::span<const float> truth) {
  return vrmse_of(predicted, truth);
}
double vrmse(std::span<const double> predicted, std::span<const double> truth) {
  return vrmse_of(predicted, truth);
}

std::optional<double> window_mean(std::span<const double> per_step, StepWindow window) {
  ensure(window.first >= 0 && window.first < window.last, "an empty window of steps");
  if (static_cast<size_t>(window.last) > per_step.size()) return std::nullopt;
  const auto first = per_step.begin() + window.first, last = per_step.begin() + window.last;
  return std::accumulate(first, last, 0.0) / static_cast<double>(window.last - window.first);
}

std::optional<double> relative_l2(std::span<const float> predicted, std::span<const float> truth) {
  return relative_l2_of(predicted, truth);
}
std::optional<double> relative_l2(std::span<const double> predicted,
                                  std::span<const double> truth) {
  return relative_l2_of(predicted, truth);
}

std::optional<double> mean_relative_l2(std::span<const float> predicted,
                                       std::span<const float> truth, int64_t trajectories) {
  return mean_relative_l2_of(predicted, truth, trajectories);
}
std::optional<double> mean_relative_l2(std::span<const double> predicted,
                                       std::span<const double> truth, int64_t trajectories) {
  return mean_relative_l2_of(predicted, truth, trajectories);
}

double mean_absolute_error(std::span<const float> predicted, std::span<const float> truth) {
  return mean_absolute_of(predicted, truth);
}
double mean_absolute_error(std::span<const double> predicted, std::span<const double> truth) {
  return mean_absolute_of(predicted, truth);
}

}  // namespace roundtrip
