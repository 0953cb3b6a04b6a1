#include "roundtrip/measurement/pixel_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/calibration/pixel_sigma.h"
#include "roundtrip/measurement/pixel_frames.h"

namespace roundtrip {
namespace {

constexpr int64_t kGroup = 16;  // trajectories rolled out together

std::span<const float> values_of(const torch::Tensor& frame) {
  return {frame.data_ptr<float>(), static_cast<size_t>(frame.numel())};
}

/// One field of one rollout, (depths, H, W) contiguous, and the scales calibrators give its frames.
struct FieldRollout {
  torch::Tensor truth, rollout, sample_mean, spread, cycle;
  std::map<std::string, std::vector<double>> scales;  // by signal, one a depth

  const torch::Tensor& prediction(const PixelObject& object) const {
    return object.shape == "spread" ? sample_mean : rollout;
  }
  std::span<const float> shape(const PixelObject& object, int64_t at) const {
    if (object.shape.empty()) return {};
    return values_of((object.shape == "spread" ? spread : cycle)[at]);
  }
  double scale(const PixelObject& object, int64_t at) const {
    if (object.scale == "shape") return shape_scale(shape(object, at));
    return scales.at(std::string(object.scale))[static_cast<size_t>(at)];
  }
};

// Signal of an object's scale to the calibrator's prediction at depths 1, 2, ...
std::map<std::string, std::vector<double>> scales_of(const Curve& curve, int64_t depth,
                                                     const CalibratorSet& calibrators) {
  std::map<std::string, std::vector<double>> scales;
  for (const char* signal : {"C", "depth"}) {
    const Calibrator& calibrator = calibrators.find({"E", signal, "alone"});
    for (int64_t i = 0; i < depth; ++i) {
      ensure(curve.depths.at(static_cast<size_t>(i)) == i + 1, "curves have all depths from 1 on");
      const auto at = static_cast<size_t>(i);
      // A rollout that blew up has no C to predict from.
      const bool known = signal != std::string("C") || std::isfinite(curve.column("C")[at]);
      scales[signal].push_back(known ? frame_scale(calibrator.predict(curve, at).mean)
                                     : std::numeric_limits<double>::quiet_NaN());
    }
  }
  return scales;
}

FieldRollout field_of(const PixelFrames& frames, int64_t channel) {
  const auto pick = [channel](const torch::Tensor& all) {
    return all.select(1, channel).to(torch::kFloat32).contiguous();
  };
  return {.truth = pick(frames.truth),
          .rollout = pick(frames.rollout),
          .sample_mean = pick(frames.sample_mean),
          .spread = pick(frames.spread),
          .cycle = pick(frames.cycle),
          .scales = {}};
}

PixelSigma fit_object(const PixelObject& object, const std::vector<FieldRollout>& rollouts) {
  std::vector<torch::Tensor> residuals;  // what the frames point into
  std::vector<PixelFrame> frames;
  for (const FieldRollout& rollout : rollouts) {
    residuals.push_back(rollout.prediction(object) - rollout.truth);
    for (int64_t i = 0; i < residuals.back().size(0); ++i) {
      const PixelFrame frame{.scale = rollout.scale(object, i),
                             .residual = values_of(residuals.back()[i]),
                             .shape = rollout.shape(object, i)};
      if (is_finite(frame)) frames.push_back(frame);
    }
  }
  return fit_pixel_sigma(frames, object.mixed);
}

PixelTally tally_object(const PixelObject& object, const PixelSigma& fit,
                        const FieldRollout& rollout) {
  torch::Tensor sigma = torch::empty_like(rollout.truth);
  for (int64_t i = 0; i < sigma.size(0); ++i) {
    const torch::Tensor frame = sigma[i];
    fit.fill(rollout.scale(object, i), rollout.shape(object, i),
             {frame.data_ptr<float>(), static_cast<size_t>(frame.numel())});
  }
  return tally_pixels(values_of(rollout.prediction(object).contiguous()), values_of(rollout.truth),
                      values_of(sigma));
}

/// Rolls out the trajectories of both sources, group by group.
class PixelWork {
 public:
  PixelWork(const PixelTableRequest& request, const Surrogate& surrogate,
            const CalibratorSet& calibrators, std::function<void(int64_t, int64_t)> progress)
      : request_(request),
        surrogate_(surrogate),
        calibrators_(calibrators),
        progress_(std::move(progress)),
        total_(trajectories(request.calibration) + trajectories(request.test)) {}

  /// `take` is given trajectory, field and rollout.
  void each(const PixelSource& source,
            const std::function<void(int64_t, size_t, FieldRollout)>& take) {
    for (int64_t first = 0; first < trajectories(source); first += kGroup) {
      stop_if_interrupted();
      const auto found = pixel_frames({.split = source.split,
                                       .first = first,
                                       .count = std::min(kGroup, trajectories(source) - first),
                                       .depth = request_.depth,
                                       .samples = request_.samples},
                                      surrogate_, *source.dataset);
      for (size_t i = 0; i < found.size(); ++i) {
        const Curve& curve = source.curves.curves[static_cast<size_t>(first) + i];
        ensure(curve.trajectory == first + static_cast<int64_t>(i), "curves of all trajectories");
        for (size_t c = 0; c < surrogate_.layout.channels.size(); ++c) {
          FieldRollout rollout = field_of(found[i], static_cast<int64_t>(c));
          rollout.scales = scales_of(curve, request_.depth, calibrators_);
          take(curve.trajectory, c, std::move(rollout));
        }
      }
      done_ += static_cast<int64_t>(found.size());
      progress_(done_, total_);
    }
  }

 private:
  static int64_t trajectories(const PixelSource& source) {
    return static_cast<int64_t>(source.curves.curves.size());
  }

  const PixelTableRequest& request_;
  const Surrogate& surrogate_;
  const CalibratorSet& calibrators_;
  std::function<void(int64_t, int64_t)> progress_;
  int64_t total_;
  int64_t done_ = 0;
};

}  // namespace

std::vector<PixelRow> pixel_table(const PixelTableRequest& request, const Surrogate& surrogate,
                                  const CalibratorSet& calibrators,
                                  const std::function<void(int64_t, int64_t)>& progress) {
  PixelWork work(request, surrogate, calibrators, progress);
  const auto& fields = surrogate.layout.channels;
  std::vector<std::vector<FieldRollout>> calibration(fields.size());
  work.each(request.calibration, [&](int64_t, size_t field, FieldRollout rollout) {
    calibration[field].push_back(std::move(rollout));
  });
  std::vector<std::vector<PixelSigma>> fits(fields.size());
  for (size_t field = 0; field < fields.size(); ++field) {
    for (const PixelObject& object : pixel_objects()) {
      fits[field].push_back(fit_object(object, calibration[field]));
    }
  }
  calibration.clear();
  std::vector<PixelRow> rows;
  work.each(request.test, [&](int64_t trajectory, size_t field, const FieldRollout& rollout) {
    for (size_t k = 0; k < fits[field].size(); ++k) {
      const PixelObject& object = pixel_objects()[k];
      rows.push_back({.field = fields[field],
                      .object = std::string(object.name),
                      .trajectory = trajectory,
                      .depth = request.depth,
                      .samples = request.samples,
                      .fit = fits[field][k],
                      .tally = tally_object(object, fits[field][k], rollout)});
    }
  });
  return rows;
}

}  // namespace roundtrip
