#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "roundtrip/base/registry.h"

namespace roundtrip {

/// One predicted frame with its truth, for fitting: residuals pixel by pixel, in the field's units.
struct PixelFrame {
  double scale = 1;                 // the frame's predicted error as a root mean square
  std::span<const float> residual;  // prediction - truth
  std::span<const float> shape;  // where in the frame the error may lie, at least 0; may be empty
};

/// Whether its numbers are; those of a rollout that blew up are not.
bool is_finite(const PixelFrame& frame);

/// sigma(x) = kappa * scale * sqrt((1 - lambda) + lambda h(x)^2 / mean h^2), h the shape.
struct PixelSigma {
  double kappa = 1;   // pixel-scale factor
  double lambda = 0;  // 0: constant over the frame; 1: the shape alone

  /// Fills `sigma` with one value per pixel. A frame whose shape is zero everywhere, or empty,
  /// gets a constant.
  void fill(double scale, std::span<const float> shape, std::span<float> sigma) const;
};

/// The scale of a frame from the mean of log E its calibrator predicts: exp(mean / 2).
double frame_scale(double mean_log_error);

/// Root mean square of a shape: the scale of a frame known by its shape alone.
double shape_scale(std::span<const float> shape);

/// The uncertainty objects of the Navier-Stokes benchmark.
struct PixelObject {
  std::string_view name;
  std::string_view summary;
  std::string_view scale;  // "C", "depth": a calibrator's signal; "shape": the shape's own size
  std::string_view shape;  // "", "cycle" (third leg against first), "spread" (over initial noises)
  bool mixed;              // lambda is fitted; otherwise 0 without a shape and 1 with one
};
const Registry<PixelObject>& pixel_objects();

/// Largest likelihood over the frames given, which must be validation frames: kappa in closed form
/// for each lambda of a grid of 101 (one value when not `mixed`). An Error when all residuals are
/// zero, sizes differ, or a value is not finite.
PixelSigma fit_pixel_sigma(std::span<const PixelFrame> frames, bool mixed);

}  // namespace roundtrip
