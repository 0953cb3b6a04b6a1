#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/types.h>

#include "roundtrip/nn/dense.h"

namespace roundtrip {

/// What a denoiser is conditioned on besides frames: the noise level k, the index t of the target
/// frame and the direction c_d, as one vector
///
///     c = SiLU(MLP(SiLU(W_k sin k) + SiLU(W_t sin t) + E_d))
///
/// (the SiLU around it is what every modulation begins with). Its layers are registered in the
/// module that owns it, under their own names.
class StepCondition {
 public:
  /// `time_index`: false leaves out t, for systems whose law does not change with time.
  StepCondition(torch::nn::Module& owner, int64_t frequencies, int64_t width, bool time_index);

  /// Initial weights that `initialise` does not know: `scale` times N(0, 1).
  void initialise_directions(uint64_t seed, double scale = 0.02);

  /// k, t, direction (B) int64 -> (B, width).
  torch::Tensor operator()(const torch::Tensor& k, const torch::Tensor& t,
                           const torch::Tensor& direction);

 private:
  int64_t frequencies_;
  Dense step_{nullptr}, time_{nullptr}, fc1_{nullptr}, fc2_{nullptr};
  torch::Tensor directions_;  // (2, width): forward, backward
};

}  // namespace roundtrip
