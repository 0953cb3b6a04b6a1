#include "roundtrip/calibration/pixel_sigma.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "roundtrip/base/error.h"

// For a fixed lambda the likelihood's best kappa^2 is the mean of r^2 / sigma_1^2, sigma_1 being
// sigma at kappa = 1; what remains, log kappa + mean log sigma_1, decides between lambdas.

namespace roundtrip {
namespace {

constexpr int kLambdas = 101;
// A pixel the shape calls certain still has a thousandth of the frame's scale.
constexpr double kLeastShare = 1e-6;

double mean_square(std::span<const float> values) {
  double sum = 0;
  for (const float x : values) sum += static_cast<double>(x) * x;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// The variance of a pixel in units of the frame's.
double share(double lambda, double square, double mean) {
  return mean > 0 ? std::max((1 - lambda) + lambda * square / mean, kLeastShare) : 1;
}

struct Score {
  double kappa = 0;
  double loss = 0;  // log kappa + mean log sigma_1
};

Score score(std::span<const PixelFrame> frames, double lambda) {
  double squares = 0, logs = 0, n = 0;
  for (const PixelFrame& frame : frames) {
    const double mean = mean_square(frame.shape);
    double frame_squares = 0, frame_logs = 0;
    for (size_t i = 0; i < frame.residual.size(); ++i) {
      const double h = frame.shape.empty() ? 0 : frame.shape[i];
      const double variance = share(lambda, h * h, mean);
      frame_squares += static_cast<double>(frame.residual[i]) * frame.residual[i] / variance;
      frame_logs += 0.5 * std::log(variance);
    }
    const auto pixels = static_cast<double>(frame.residual.size());
    squares += frame_squares / (frame.scale * frame.scale);
    logs += frame_logs + pixels * std::log(frame.scale);
    n += pixels;
  }
  const double kappa = std::sqrt(squares / n);
  return {.kappa = kappa, .loss = std::log(kappa) + logs / n};
}

void check(std::span<const PixelFrame> frames) {
  bool any = false;
  for (const PixelFrame& frame : frames) {
    if (!frame.shape.empty() && frame.shape.size() != frame.residual.size()) {
      throw Error("pixel_sigma", "expected a shape as large as its frame");
    }
    if (frame.scale <= 0 || !is_finite(frame)) {
      throw Error("pixel_sigma", "expected finite residuals and shapes and a scale above 0");
    }
    any = any ||
          std::any_of(frame.residual.begin(), frame.residual.end(), [](float x) { return x != 0; });
  }
  if (!any) throw Error("pixel_sigma", "expected a residual other than 0");
}

}  // namespace

bool is_finite(const PixelFrame& frame) {
  const auto finite = [](float x) { return std::isfinite(x); };
  return std::isfinite(frame.scale) &&
         std::all_of(frame.residual.begin(), frame.residual.end(), finite) &&
         std::all_of(frame.shape.begin(), frame.shape.end(), finite);
}

void PixelSigma::fill(double scale, std::span<const float> shape, std::span<float> sigma) const {
  ensure(shape.empty() || shape.size() == sigma.size(), "one sigma per pixel of the shape");
  const double mean = mean_square(shape);
  for (size_t i = 0; i < sigma.size(); ++i) {
    const double h = shape.empty() ? 0 : shape[i];
    sigma[i] = static_cast<float>(kappa * scale * std::sqrt(share(lambda, h * h, mean)));
  }
}

double frame_scale(double mean_log_error) { return std::exp(mean_log_error / 2); }

double shape_scale(std::span<const float> shape) { return std::sqrt(mean_square(shape)); }

const Registry<PixelObject>& pixel_objects() {
  static const Registry<PixelObject> rows = {
      {"constant", "one sigma per frame from C", "C", "", false},
      {"cycle", "sigma from C, shaped by the disagreement of the third leg", "C", "cycle", true},
      {"spread", "the spread over initial noises, scaled", "shape", "spread", false},
      {"composed", "sigma from C, shaped by the spread over initial noises", "C", "spread", true},
      {"depth", "one sigma per frame from the depth", "depth", "", false},
  };
  return rows;
}

PixelSigma fit_pixel_sigma(std::span<const PixelFrame> frames, bool mixed) {
  check(frames);
  const bool shaped = std::any_of(frames.begin(), frames.end(),
                                  [](const PixelFrame& frame) { return !frame.shape.empty(); });
  PixelSigma best;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kLambdas; ++i) {
    const double lambda = static_cast<double>(i) / (kLambdas - 1);
    if (!mixed && lambda != (shaped ? 1.0 : 0.0)) continue;
    const Score found = score(frames, lambda);
    if (found.loss >= least) continue;
    least = found.loss;
    best = {.kappa = found.kappa, .lambda = lambda};
  }
  return best;
}

}  // namespace roundtrip
