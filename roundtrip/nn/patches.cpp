#include "roundtrip/nn/patches.h"

#include <torch/types.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

// (B, m, F, h / p, p, w / p, p), a view: axes 3 and 5 are a patch's location, 4 and 6 lie inside
// it.
torch::Tensor divided(const torch::Tensor& frames, int64_t patch) {
  const int64_t height = frames.size(3), width = frames.size(4);
  ensure(height % patch == 0 && width % patch == 0, "whole patches");
  return frames.reshape({frames.size(0), frames.size(1), frames.size(2), height / patch, patch,
                         width / patch, patch});
}

}  // namespace

torch::Tensor patchify(const torch::Tensor& frames, int64_t patch) {
  const int64_t count = frames.size(3) * frames.size(4) / (patch * patch);
  return divided(frames, patch)
      .permute({0, 1, 3, 5, 4, 6, 2})
      .reshape({frames.size(0), frames.size(1) * count, patch * patch * frames.size(2)});
}

torch::Tensor patchify_stacked(const torch::Tensor& frames, int64_t patch) {
  const int64_t count = frames.size(3) * frames.size(4) / (patch * patch);
  return divided(frames, patch)
      .permute({0, 3, 5, 1, 4, 6, 2})
      .reshape({frames.size(0), count, frames.size(1) * patch * patch * frames.size(2)});
}

torch::Tensor unpatchify(const torch::Tensor& patches, int64_t height, int64_t width,
                         int64_t patch) {
  const int64_t batch = patches.size(0), channels = patches.size(2) / (patch * patch);
  return patches.reshape({batch, height / patch, width / patch, patch, patch, channels})
      .permute({0, 5, 1, 3, 2, 4})
      .reshape({batch, channels, height, width});
}

}  // namespace roundtrip
