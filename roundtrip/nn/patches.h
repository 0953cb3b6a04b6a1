#pragma once

#include <cstdint>

#include <torch/types.h>

namespace roundtrip {

/// Cuts frames into patches, each frame's patches row by row: (B, m, F, h, w) ->
/// (B, m * (h / p) * (w / p), p * p * F). Inside a patch the channel varies fastest.
torch::Tensor patchify(const torch::Tensor& frames, int64_t patch);

/// The same with all frames' patches at one location side by side: (B, m, F, h, w) ->
/// (B, (h / p) * (w / p), m * p * p * F).
torch::Tensor patchify_stacked(const torch::Tensor& frames, int64_t patch);

/// Puts the patches of one frame back: (B, (h / p) * (w / p), p * p * F) -> (B, F, h, w).
torch::Tensor unpatchify(const torch::Tensor& patches, int64_t height, int64_t width,
                         int64_t patch);

}  // namespace roundtrip
