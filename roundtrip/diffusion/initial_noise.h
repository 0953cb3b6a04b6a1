#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <torch/types.h>

#include "roundtrip/base/catalog.h"
#include "roundtrip/data/frame_shape.h"

namespace roundtrip {

/// What, besides the seed, the noise of a sampled frame depends on.
enum class NoiseKey { fixed, target, direction };

using NoiseKeyRow = ChoiceRow<NoiseKey>;

/// All keys, the default first.
const Catalog<NoiseKeyRow>& noise_keys();

/// The noise that sampling consumes, by key alone: neither the batch a frame is in nor the order of
/// calls changes it. With `fixed` every physical step, trajectory and direction gets the same
/// noise, so that a step is one map of its context. Several samples of a frame take several seeds.
class InitialNoise {
 public:
  InitialNoise(NoiseKey key, uint64_t seed, const FrameShape& frame,
               torch::ScalarType type = torch::kFloat32);

  /// What a sampler starts from, (B, F, h, w), for frames with indices `targets` (B) reached in
  /// `directions` (B), +1 or -1. With `fixed` the rows share memory: do not write to them.
  torch::Tensor initial(const std::vector<int64_t>& targets,
                        const std::vector<int64_t>& directions) const;
  /// The same for the noise drawn at call `call` of a sample (StepNoise).
  torch::Tensor step(int64_t call, const std::vector<int64_t>& targets,
                     const std::vector<int64_t>& directions) const;

  const FrameShape& frame() const { return frame_; }

 private:
  torch::Tensor draw(std::string_view purpose, const std::vector<int64_t>& targets,
                     const std::vector<int64_t>& directions) const;

  NoiseKey key_;
  uint64_t seed_;
  FrameShape frame_;
  torch::ScalarType type_;
};

}  // namespace roundtrip
