#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <torch/types.h>

#include "roundtrip/data/frame_windows.h"
#include "roundtrip/rollout/stepper.h"

namespace roundtrip {

/// Steps in one direction from given frames; the anchor stays, the context slides.
struct Leg {
  FrameWindows window;  // of the first step, one row
  int64_t steps = 1;
  size_t stepper = 0;  // which of the scheduler's steppers
  /// Called after step 1, 2, ..., `steps` with the context (n, F, h, w) as it is then, the new
  /// frame last. It is a view of memory that the next step overwrites: clone what is to be kept.
  std::function<void(int64_t step, const torch::Tensor& context)> stepped = {};
};

/// Advances many legs together, as many at a time as a batch holds. A leg that ends makes room for
/// the next; long ones go first, so that few are left for the last batches. Legs may be added while
/// it runs, by `stepped` too. Memory: one batch of contexts per stepper, beside the legs' own.
class BatchScheduler {
 public:
  /// Steppers share shape, type and number of contexts and outlive the scheduler. `batch` is at
  /// least 1. With `one_by_one` a stepper is called with one row at a time: a leg is then the same
  /// bits in any company. (In calls of several rows the index of a row may decide how it is
  /// rounded.)
  BatchScheduler(std::vector<Stepper*> steppers, int64_t batch, bool one_by_one = false);
  ~BatchScheduler();

  void add(Leg leg);

  /// Runs until no leg is left; `advanced` is called with the rows that each batch stepped.
  void run(const std::function<void(int64_t rows)>& advanced = {});

  /// Rows stepped so far, all batches together: the work done.
  int64_t row_steps() const { return row_steps_; }
  Stepper& stepper(size_t which = 0) const;

 private:
  class Queue;

  std::vector<std::unique_ptr<Queue>> queues_;
  int64_t row_steps_ = 0;
};

}  // namespace roundtrip
