#pragma once

#include <cstdint>

#include <torch/types.h>

#include "roundtrip/data/frame_shape.h"
#include "roundtrip/models/frame_predictor.h"

namespace roundtrip {

/// One step of a model of a dynamical system, forward or backward in time. Rollouts, round trips,
/// signals and the meter know a model by this alone.
///
/// A step is a map: the same inputs give the same frame. Rows of a batch do not see each other;
/// in another batch a row may come out different by rounding.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// The next frames (B, F, h, w) of contexts (B, n, F, h, w), anchors, target indices and
  /// directions; no gradients.
  virtual torch::Tensor step(const FrameWindows& inputs) = 0;

  /// Of what a change of the contexts does to the next frames, the transpose: J^T u (B, n, F, h, w)
  /// for cotangents u (B, F, h, w). An Error when the model gives no gradients.
  virtual torch::Tensor vjp(const FrameWindows& inputs, const torch::Tensor& cotangent);

  /// n, how many frames a step sees besides the anchor; at least 1.
  virtual int64_t contexts() const = 0;
  /// F, h, w.
  virtual FrameShape frame() const = 0;
  /// Of the frames it takes and gives.
  virtual torch::ScalarType type() const { return torch::kFloat32; }
};

}  // namespace roundtrip
