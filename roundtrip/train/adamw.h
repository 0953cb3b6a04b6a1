#pragma once

#include <cstdint>

#include <torch/types.h>

#include "roundtrip/base/settings.h"
#include "roundtrip/train/flat_parameters.h"

namespace roundtrip {

struct AdamWOptions {
  double beta1 = 0.9;       // decay of the mean gradient
  double beta2 = 0.999;     // decay of the mean squared gradient
  double epsilon = 1e-8;    // added to the root of the latter
  double weight_decay = 0;  // of matrices; vectors (biases, scales) do not decay
  double clip = 1.0;        // largest norm of the whole gradient; 0 = no clipping
  double ema_decay =
      0.999;  // of the exponential moving average of the weights, which sampling uses
};

/// Lists the settings under `prefix` ("denoiser_training.").
void bind(AdamWOptions& options, const std::string& prefix, Settings& settings);

/// AdamW (Loshchilov and Hutter 2019) with clipping and an exponential average of the weights, in
/// one pass over memory: torch's own takes about a dozen small operations per parameter tensor.
/// The average's memory grows from 0.1 to `ema_decay` as min(decay, (1 + t) / (10 + t)), so that
/// short runs forget their random start. Results do not depend on the number of threads.
class AdamW {
 public:
  AdamW(FlatParameters& parameters, const AdamWOptions& options);

  /// The norm of all gradients.
  double gradient_norm() const;
  /// Takes one step with gradients scaled down to the norm `clip` where `norm` is above it, and
  /// sets them to zero.
  void step(double learning_rate, double norm);

  /// Averaged weights, laid out as the parameters' values.
  torch::Tensor& average() { return average_; }
  /// Everything besides the weights that the next step depends on.
  int64_t steps() const { return steps_; }
  void set_steps(int64_t steps) { steps_ = steps; }
  torch::Tensor& first_moment() { return first_; }
  torch::Tensor& second_moment() { return second_; }

 private:
  FlatParameters& parameters_;
  AdamWOptions options_;
  int64_t steps_ = 0;
  torch::Tensor first_, second_, average_;
};

}  // namespace roundtrip
