#pragma once

#include <cstdint>

#include <torch/types.h>

#include "roundtrip/base/registry.h"

namespace roundtrip {

/// What a convolution sees beyond the edge of an image.
enum class Padding { zeros, circular, replicate };

const Registry<ChoiceEntry<Padding>>& paddings();

/// The padding of both axes of an image.
struct AxisPadding {
  Padding rows = Padding::zeros;     // beyond the first and last row
  Padding columns = Padding::zeros;  // beyond the first and last column

  friend bool operator==(const AxisPadding&, const AxisPadding&) = default;
};

/// Images (B, C, H, W) with `width` more pixels on every side, (B, C, H + 2 width, W + 2 width);
/// the memory format stays. `circular` needs H and W of at least `width`.
torch::Tensor pad(const torch::Tensor& images, int64_t width, const AxisPadding& padding);

}  // namespace roundtrip
