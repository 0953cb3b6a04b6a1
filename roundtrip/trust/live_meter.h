#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <torch/types.h>

#include "roundtrip/trust/measure.h"

namespace roundtrip {

/// One step of a rollout, with its signals.
struct LiveStep {
  int64_t depth = 0;
  torch::Tensor frame;          // (F, h, w), latent
  bool checked = false;         // whether this depth is one of those recorded
  std::vector<double> signals;  // of the meter's columns, when checked
};

/// Rollouts under way: every call of `next` takes one step of each and pays for the backward legs
/// of that depth. Whoever has seen enough stops calling, or stops one of them. The numbers are
/// those that `Meter::measure` gives, to rounding.
class LiveMeter {
 public:
  /// Of the trajectories the seed frames are used and nothing else. An Error when the meter asks
  /// for the truth. The meter outlives this.
  LiveMeter(const Meter& meter, const std::vector<MeasuredTrajectory>& trajectories);
  /// One rollout, from latents (K, F, h, w).
  LiveMeter(const Meter& meter, const torch::Tensor& seed_frames);
  ~LiveMeter();

  /// Whether the deepest depth has been reached, or every rollout stopped.
  bool done() const;
  /// One entry per trajectory; one that was stopped gives the last again.
  const std::vector<LiveStep>& next();
  /// Takes no further step of a trajectory.
  void stop(size_t trajectory);
  /// Rows stepped so far: the cost, in steps.
  int64_t row_steps() const;

 private:
  void advance(size_t trajectory);
  void look(size_t trajectory);

  const Meter& meter_;
  std::unique_ptr<BatchScheduler> scheduler_;
  std::vector<std::unique_ptr<Meter::Running>> running_;
  std::vector<bool> stopped_;
  std::vector<LiveStep> steps_;
  int64_t depth_ = 0;
};

}  // namespace roundtrip
