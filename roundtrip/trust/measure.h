#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <torch/types.h>

#include "roundtrip/rollout/surrogate.h"
#include "roundtrip/trust/signals.h"

namespace roundtrip {

/// What is measured of every trajectory.
struct MeasureRequest {
  std::vector<int64_t> depths;       // ascending, at least 1 each
  std::vector<std::string> signals;  // names of rows of signals()
  int64_t samples = 5;               // S, of spreads and averages
  int64_t batch = 64;                // rows stepped at a time: bounds memory
  bool one_by_one = false;           // one row in every call of the model (BatchScheduler)
};

/// One trajectory to measure: latents (T, F, h, w) from frame `first_index` on, of which the first
/// `initial_frames` are known to the model and the rest, if any, only to signals that need the
/// truth.
struct MeasuredTrajectory {
  torch::Tensor latents;
  torch::Tensor fields;  // (T, C, H, W) physical; undefined when frames are latents
  int64_t initial_frames = 0;
  int64_t first_index = 0;
};

/// A table of one trajectory: rows are the depths asked for, columns those of the meter.
using SignalTable = std::vector<std::vector<double>>;

/// Measures signals of trajectories: rolls them out together and runs the legs of all depths and
/// trajectories in shared batches. The numbers of a trajectory depend on the others by rounding at
/// most, and on nothing else but its frames.
class Meter {
 public:
  /// `training_windows` gives seed windows of the training split (N, K, F, h, w), for `seed_knn`;
  /// may be empty. An Error when a signal is unknown or the model cannot give it.
  Meter(const Surrogate& surrogate, const MeasureRequest& request,
        std::function<torch::Tensor()> training_windows = {});
  ~Meter();
  Meter(const Meter&) = delete;  // runs keep pointers into it
  Meter& operator=(const Meter&) = delete;

  const std::vector<std::string>& columns() const { return columns_; }
  /// Whether a signal asks for frames after the seed frames; for all of a trajectory; for the
  /// frames themselves besides their latents.
  bool needs_truth() const;
  bool needs_whole() const;
  bool needs_fields() const;
  const MeasureRequest& request() const { return request_; }

  /// Rows that one trajectory of `frames` frames steps in all, the rollout itself included: the
  /// cost of the table, before it is paid.
  int64_t row_steps(int64_t initial_frames, int64_t frames) const;

  /// `advanced` is called with the rows that each batch stepped.
  std::vector<SignalTable> measure(const std::vector<MeasuredTrajectory>& trajectories,
                                   const std::function<void(int64_t rows)>& advanced = {}) const;

  /// A run of one trajectory and its signals, for stepping by hand (LiveMeter).
  struct Running {
    std::unique_ptr<MeasuredRun> run;
    std::vector<std::unique_ptr<Signal>> signals;
    SignalTable table;
  };
  std::unique_ptr<Running> start(const MeasuredTrajectory& trajectory,
                                 BatchScheduler& scheduler) const;
  std::unique_ptr<BatchScheduler> make_scheduler() const;

 private:
  Meter(std::shared_ptr<Stepper> stepper, const MeasureRequest& request);
  void add_signals();

  MeasureRequest request_;
  std::vector<std::shared_ptr<Stepper>> steppers_;  // of all samples, the model's own first
  std::vector<const SignalRow*> rows_;
  SignalSetup setup_;
  std::vector<std::string> columns_;
};

}  // namespace roundtrip
