// The squared cosine of Nichol & Dhariwal 2021 with their offset of 0.008, which keeps the first
// steps from being too small, and their cap on beta, which keeps the last step finite.
#include "roundtrip/diffusion/noise_schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr double kOffset = 0.008;
constexpr double kLargestBeta = 0.999;

double squared_cosine(double time) {
  const double cosine = std::cos((time + kOffset) / (1 + kOffset) * std::numbers::pi / 2);
  return cosine * cosine;
}

}  // namespace

NoiseSchedule::NoiseSchedule(int64_t steps) {
  if (steps < 1) {
    throw Error("schedule", fmt::format("expected at least 1 diffusion step, found {}", steps));
  }
  const double count = static_cast<double>(steps);
  double product = 1;
  for (int64_t k = 0; k < steps; ++k) {
    const double here = squared_cosine(static_cast<double>(k) / count);
    const double next = squared_cosine(static_cast<double>(k + 1) / count);
    beta_.push_back(std::min(1 - next / here, kLargestBeta));
    product *= 1 - beta_.back();
    alpha_bar_.push_back(product);
  }
}

double NoiseSchedule::beta(int64_t k) const {
  ensure(k >= 0 && k < steps(), "NoiseSchedule::beta: k out of range");
  return beta_[static_cast<size_t>(k)];
}

double NoiseSchedule::alpha_bar(int64_t k) const {
  ensure(k >= 0 && k < steps(), "NoiseSchedule::alpha_bar: k out of range");
  return alpha_bar_[static_cast<size_t>(k)];
}

torch::Tensor NoiseSchedule::alpha_bars(const torch::Tensor& k, int64_t dims) const {
  ensure(k.dim() == 1 && dims >= 1, "NoiseSchedule::alpha_bars: expected k of shape (B)");
  const torch::Tensor table = torch::tensor(alpha_bar_, torch::kFloat64).to(k.device());
  std::vector<int64_t> shape(static_cast<size_t>(dims), 1);
  shape[0] = k.size(0);
  return table.index_select(0, k).view(shape);
}

}  // namespace roundtrip
