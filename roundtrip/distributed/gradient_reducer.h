#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <torch/types.h>

#include "roundtrip/distributed/process_group.h"

namespace roundtrip {

/// Averages gradients over the ranks while backward still runs. The flat gradient is cut into
/// buckets of whole parameters; a bucket's sum starts as soon as its last gradient is there.
///
///     GradientReducer reducer(group, parameters, flat_gradient);
///     loss.backward();
///     reducer.wait();  // every gradient is now the mean over the ranks
class GradientReducer {
 public:
  static constexpr int64_t kBucketBytes = 1 << 20;

  /// The gradients of `parameters` must be contiguous views of `flat_gradient`, in order and
  /// without gaps. `group` must outlive this; parameters keep working without it once it is gone.
  GradientReducer(ProcessGroup& group, std::vector<torch::Tensor> parameters,
                  torch::Tensor flat_gradient, int64_t bucket_bytes = kBucketBytes);
  ~GradientReducer();
  GradientReducer(const GradientReducer&) = delete;
  GradientReducer& operator=(const GradientReducer&) = delete;

  /// While `more` is true, backward only adds to the gradients (micro-batches): say false before
  /// the last one.
  void expect_more(bool more);

  /// Finishes the sums and divides by the number of ranks. Call it once after the last backward, on
  /// every rank; parameters that backward did not reach take part with what their gradient holds.
  void wait();

 private:
  class Buckets;
  struct Hook;
  std::unique_ptr<Buckets> buckets_;
  std::vector<Hook> hooks_;
};

}  // namespace roundtrip
