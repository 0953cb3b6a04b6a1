#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include <torch/types.h>

#include "roundtrip/distributed/launch_environment.h"

namespace roundtrip {

/// A collective operation under way.
class Work {
 public:
  virtual ~Work() = default;
  /// Returns once the tensor holds the result; throws what the operation would have thrown.
  virtual void wait() = 0;
};

/// The ranks of one job. Every rank calls the same operations in the same order. Tensors are
/// contiguous, on the CPU, and of the same shape and type on every rank. A rank that stops
/// answering is, on every other, an Error within the group's time limit; the group is of no use
/// after that.
class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;

  virtual int64_t rank() const = 0;
  virtual int64_t size() const = 0;

  /// Starts to replace `tensor` by its sum over all ranks, in the background.
  virtual std::unique_ptr<Work> all_reduce_async(torch::Tensor tensor) = 0;
  /// Replaces `tensor` by that of rank `root`.
  virtual void broadcast(torch::Tensor tensor, int64_t root) = 0;
  /// Returns once every rank has called it.
  virtual void barrier() = 0;

  /// Replaces `tensor` by its sum over all ranks, the same bits on each of them.
  void all_reduce_sum(torch::Tensor tensor) { all_reduce_async(std::move(tensor))->wait(); }
};

/// Meets the other ranks and connects to them over Gloo; a single rank needs nobody. Ranks that do
/// not come within `meeting_seconds`, or later stop answering for `timeout_seconds`, are an Error.
/// (Hosts start their ranks apart, so meeting may need more patience than working together.)
std::unique_ptr<ProcessGroup> make_process_group(const LaunchEnvironment& environment,
                                                 double timeout_seconds,
                                                 double meeting_seconds = 300);

}  // namespace roundtrip
