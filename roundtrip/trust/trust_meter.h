#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <torch/types.h>

#include "roundtrip/calibration/predicted_error.h"
#include "roundtrip/calibration/trusted_depth.h"
#include "roundtrip/trust/live_meter.h"

namespace roundtrip {

/// How rollouts are to be watched.
struct TrustRequest {
  int64_t depth = 16;                      // frames to predict
  std::vector<int64_t> check_depths = {};  // where the way back is taken, ascending; the last depth
                                           // always; empty: geometric_depths()
  std::string signal = "C";                // column that predicts the error
  std::string features = "depth";          // how (row of feature_rows(), a causal one)
  double level = 0.95;                     // of bands, bounds and alarm
  std::optional<double> tolerance = {};    // bounds the upper end of E, PredictedError::bounds()
  std::optional<double> tolerance_c = {};  // the paper's rule: bounds C itself
  bool stop = false;                       // end a rollout where it can no longer be trusted
  int64_t batch = 64;                      // rows stepped at a time
};

/// 1, 2, 4, ... and the last: the ways back cost less than three times the rollout.
std::vector<int64_t> geometric_depths(int64_t depth);

/// One depth of one rollout. No truth went into it.
struct TrustStep {
  int64_t depth = 0;
  torch::Tensor frame;                 // (F, h, w), latent
  bool checked = false;                // what follows is there at checked depths only
  double signal = 0;                   // C
  std::vector<PredictedError> errors;  // the latent one first, then fields
  std::optional<double> alarm_score;   // log C in standard deviations of calibration rollouts
};

/// A rollout so far.
struct TrustSummary {
  TrustedDepth trusted;             // by the tolerance; all of the depth without one
  std::optional<AlarmState> alarm;  // none when the calibrators have none for the signal
};

/// An Error unless the calibrators were fitted for this model and sampling.
void require_calibrators_of(const Surrogate& surrogate, const CalibratorSet& calibrators);

/// Rolls trajectories out and predicts, at every checked depth, their error, how deep they can
/// be trusted, and whether they look like those the calibrators know.
class TrustMeter {
 public:
  /// An Error when the calibrators belong to another model or sampling (unless `any_calibrators`),
  /// or lack what the request asks for. All that is passed outlives this.
  TrustMeter(const Surrogate& surrogate, const CalibratorSet& calibrators,
             const TrustRequest& request, const std::vector<MeasuredTrajectory>& trajectories,
             bool any_calibrators = false);
  ~TrustMeter();

  bool done() const { return live_->done(); }
  /// One more depth of every rollout that goes on.
  const std::vector<TrustStep>& next();
  TrustSummary summary(size_t trajectory) const;
  /// Steps taken over the steps of plain rollouts as deep: what trust costs.
  double cost() const;

 private:
  void check_depths(const Calibrator& calibrator) const;
  double worst_bound(const Curve& curve, size_t at) const;
  TrustStep step_of(size_t trajectory, const LiveStep& live);

  TrustRequest request_;
  const CalibratorSet& calibrators_;
  std::vector<const Calibrator*> used_;  // the latent one first
  std::unique_ptr<Meter> meter_;
  std::unique_ptr<LiveMeter> live_;
  std::vector<Curve> curves_;  // what is known of each rollout
  std::vector<TrustStep> steps_;
  int64_t plain_steps_ = 0;
};

}  // namespace roundtrip
