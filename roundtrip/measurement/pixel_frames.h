#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "roundtrip/data/dataset.h"
#include "roundtrip/rollout/surrogate.h"

namespace roundtrip {

/// Decoded frames of one rollout at each depth from 1 on, all (depths, C, H, W) in physical units.
struct PixelFrames {
  torch::Tensor truth;
  torch::Tensor rollout;
  torch::Tensor sample_mean;  // over samples by other initial noise, itself the first
  torch::Tensor spread;       // their standard deviation, 1/S
  torch::Tensor cycle;        // |there, back and there again - rollout|
};

/// Which rollouts.
struct PixelFramesRequest {
  Split split = Split::test;
  int64_t first = 0;  // trajectory
  int64_t count = 1;
  int64_t depth = 1;
  int64_t samples = 5;
  int64_t batch = 64;  // rows stepped at a time
};

/// An Error when the model draws no noise: its samples would be one.
std::vector<PixelFrames> pixel_frames(const PixelFramesRequest& request, const Surrogate& surrogate,
                                      const Dataset& dataset);

}  // namespace roundtrip
