#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

namespace roundtrip {

/// The cosine noise schedule over k = 0 ... steps-1: k = 0 is almost clean, steps-1 almost pure
/// noise. A noised frame is x_k = sqrt(abar_k) x0 + sqrt(1 - abar_k) eps.
///
/// At the last k abar is 2e-9 (1000 steps): sqrt(abar) = 5e-5 of the frame is left, and an estimate
/// of the frame from an error of eps there is off by 2e4 times that error.
class NoiseSchedule {
 public:
  /// `steps` is the paper's K.
  explicit NoiseSchedule(int64_t steps);

  int64_t steps() const { return static_cast<int64_t>(alpha_bar_.size()); }
  /// Fraction of the variance that step k replaces by noise, at most 0.999.
  double beta(int64_t k) const;
  /// Fraction of the variance that is still signal at k: the product of 1 - beta up to k.
  double alpha_bar(int64_t k) const;
  /// alpha_bar at every k (B) int64, as float64 (B, 1, ..., 1) with `dims` dimensions, on k's
  /// device. It stays float64 because 1 - abar loses its digits in float32 near k = 0; the
  /// functions of prediction.h round the finished coefficients to the type of their frames.
  torch::Tensor alpha_bars(const torch::Tensor& k, int64_t dims) const;

 private:
  std::vector<double> beta_;
  std::vector<double> alpha_bar_;
};

}  // namespace roundtrip
