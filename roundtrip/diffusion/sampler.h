#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <torch/types.h>

#include "roundtrip/diffusion/prediction.h"

namespace roundtrip {

/// The denoiser as a sampler sees it: the frame and the noise behind `noised` (B, ...) at step k.
using Denoise = std::function<DenoisedEstimate(const torch::Tensor& noised, int64_t k)>;

/// Fresh standard normal noise (B, ...) for call `call` = 0, 1, ... of one sample.
using StepNoise = std::function<torch::Tensor(int64_t call)>;

struct SamplerConfig {
  std::string name = "ddim";        // entry of samplers()
  int64_t steps = 25;               // denoiser calls per frame
  std::string spacing = "leading";  // entry of spacings()
};

/// Turns noise into a frame by repeated calls of a denoiser. Rows of a batch do not see each other;
/// the result is a function of its arguments alone.
class Sampler {
 public:
  virtual ~Sampler() = default;

  /// `start` (B, ...) is standard normal noise; the result has its shape and type. No clipping.
  /// `noise` is asked only by samplers that draw some, and may be empty for the others.
  virtual torch::Tensor sample(const Denoise& denoise, const torch::Tensor& start,
                               const StepNoise& noise) const = 0;
  /// Whether the result depends on more noise than the start's.
  virtual bool draws_noise() const = 0;
};

}  // namespace roundtrip
