#pragma once

#include <cstdint>
#include <functional>

#include "roundtrip/trust/signal.h"

namespace roundtrip {

/// Another sample of a run's rollout: the same seed frames, by another stepper of the scheduler. It
/// follows the run, never ahead of it, so that a rollout that is stopped early costs no more.
class SampleRollout {
 public:
  /// `there` is called with every depth as it is reached.
  SampleRollout(MeasuredRun& run, size_t stepper, std::function<void(int64_t depth)> there);

  /// The run has reached `depth`.
  void follow(int64_t depth);

  const Rollout& rollout() const { return rollout_; }
  size_t stepper() const { return stepper_; }

 private:
  void go_on();

  MeasuredRun& run_;
  size_t stepper_;
  std::function<void(int64_t)> there_;
  Rollout rollout_;
  int64_t done_ = 0;       // depth reached
  int64_t under_way_ = 0;  // depth that the leg in the scheduler goes to
  int64_t allowed_ = 0;    // depth of the run
};

}  // namespace roundtrip
