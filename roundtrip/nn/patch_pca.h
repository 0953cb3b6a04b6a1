#pragma once

#include <cstdint>

#include <torch/types.h>

namespace roundtrip {

/// Principal components of the square patches of images.
struct PatchComponents {
  torch::Tensor mean;        // (side, side), of all patches
  torch::Tensor directions;  // (count, side, side), orthonormal, most variance first
  torch::Tensor deviations;  // (count), standard deviation of the patches along each
};

/// The `count` <= side^2 leading components of the side x side patches that tile images
/// (B, height, width), both divisible by side. Computed and given in float64; the largest entry of
/// a direction is positive, so that equal images give equal components.
PatchComponents patch_components(const torch::Tensor& images, int64_t side, int64_t count);

}  // namespace roundtrip
