#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <torch/types.h>

#include "roundtrip/data/dataset.h"

namespace roundtrip {

/// Brings every channel to mean 0 and standard deviation 1 over the training frames, and back:
/// fields for a codec's network, latents for a denoiser. Computed in double precision, a bounded
/// number of frames at a time.
class Normaliser {
 public:
  /// One value per channel; standard deviations are positive.
  Normaliser(std::vector<double> mean, std::vector<double> std);
  /// Leaves values as they are.
  static Normaliser identity(int64_t channels);

  const std::vector<double>& mean() const { return mean_; }
  const std::vector<double>& std() const { return std_; }

  /// (..., C, H, W) -> the same shape, normalised, of the type and on the device of `as`.
  torch::Tensor normalise(const torch::Tensor& frames, const torch::TensorOptions& as) const;
  torch::Tensor normalise(const torch::Tensor& frames) const {
    return normalise(frames, frames.options());
  }
  /// The reverse.
  torch::Tensor restore(const torch::Tensor& normalised, const torch::TensorOptions& as) const;
  torch::Tensor restore(const torch::Tensor& normalised) const {
    return restore(normalised, normalised.options());
  }

 private:
  std::vector<double> mean_;
  std::vector<double> std_;
};

/// Mean and population standard deviation of each channel over all frames of `train`, in double
/// precision, the same for any number of threads. A channel that does not vary beyond float32's
/// resolution of its mean gets standard deviation 1: it becomes 0 and comes back as its mean.
/// Videos, in [-1, 1] already, get mean 0 and standard deviation 1 unread. `frames_done` is called
/// with the number of frames read since the last call, from any thread. Memory: 64 MB per thread.
Normaliser fit_normaliser(const Dataset& dataset, int64_t threads = 1,
                          const std::function<void(int64_t)>& frames_done = {});

/// {"mean": [...], "std": [...]}, with all digits.
nlohmann::ordered_json to_json(const Normaliser& normaliser);
/// The reverse; an Error naming `where` when it does not fit.
Normaliser normaliser_from_json(const nlohmann::ordered_json& json, const std::string& where);

}  // namespace roundtrip
