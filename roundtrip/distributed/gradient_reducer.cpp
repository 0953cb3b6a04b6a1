// Backward reaches the last parameters first, so buckets are summed from the last to the first, and
// never out of that order: ranks whose graphs differ still start the same operations in turn.
#include "roundtrip/distributed/gradient_reducer.h"

#include <functional>
#include <mutex>
#include <utility>

#include <torch/autograd.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

struct Bucket {
  torch::Tensor values;  // a slice of the flat gradient
  int64_t parameters = 0;
  int64_t missing = 0;  // parameters whose gradient backward still owes
};

// Runs after a gradient has been added to its view. (A tensor's own hooks run before that.)
class AfterAccumulation : public torch::autograd::FunctionPostHook {
 public:
  explicit AfterAccumulation(std::function<void()> action) : action_(std::move(action)) {}
  torch::autograd::variable_list operator()(
      const torch::autograd::variable_list& outputs,
      const torch::autograd::variable_list& /*inputs*/) override {
    action_();
    return outputs;
  }

 private:
  std::function<void()> action_;
};

}  // namespace

class GradientReducer::Buckets {
 public:
  Buckets(ProcessGroup& group, const std::vector<torch::Tensor>& parameters, torch::Tensor flat,
          int64_t bucket_bytes)
      : group_(group), flat_(std::move(flat)) {
    ensure(flat_.dim() == 1 && flat_.is_contiguous(), "GradientReducer: expected a flat gradient");
    int64_t begin = 0, end = 0;
    bool open = false;  // whether the last bucket takes more parameters
    for (const torch::Tensor& parameter : parameters) {
      const torch::Tensor& gradient = parameter.grad();
      ensure(gradient.defined() && gradient.is_contiguous() &&
                 gradient.scalar_type() == flat_.scalar_type() &&
                 gradient.data_ptr() == flat_.slice(0, end).data_ptr(),
             "GradientReducer: expected gradients that are views of the flat one, in order");
      if (!open) buckets_.push_back({});
      bucket_of_.push_back(buckets_.size() - 1);
      ++buckets_.back().parameters;
      end += parameter.numel();
      buckets_.back().values = flat_.slice(0, begin, end);
      open = buckets_.back().values.nbytes() < static_cast<size_t>(bucket_bytes);
      if (!open) begin = end;
    }
    ensure(end == flat_.numel(),
           "GradientReducer: expected one view per part of the flat gradient");
    expect_all();
  }

  void arrived(size_t parameter) {
    const std::scoped_lock lock(mutex_);
    if (more_) return;
    ensure(!arrived_[parameter], "GradientReducer: expected wait() between two backward passes");
    arrived_[parameter] = true;
    --buckets_[bucket_of_[parameter]].missing;
    while (unstarted_ > 0 && buckets_[unstarted_ - 1].missing == 0) start_next();
  }

  void wait() {
    const std::scoped_lock lock(mutex_);
    try {
      while (unstarted_ > 0) start_next();
      for (const auto& work : started_) work->wait();
    } catch (...) {
      expect_all();
      throw;
    }
    expect_all();
    if (group_.size() > 1) flat_.div_(group_.size());
  }

  void expect_more(bool more) { more_ = more; }

 private:
  void expect_all() {
    for (Bucket& bucket : buckets_) bucket.missing = bucket.parameters;
    arrived_.assign(bucket_of_.size(), false);
    started_.clear();
    unstarted_ = buckets_.size();
  }

  void start_next() { started_.push_back(group_.all_reduce_async(buckets_[--unstarted_].values)); }

  ProcessGroup& group_;
  torch::Tensor flat_;
  std::vector<Bucket> buckets_;
  std::vector<size_t> bucket_of_;  // per parameter
  std::mutex mutex_;               // backward may run on a thread per device
  std::vector<bool> arrived_;      // per parameter
  std::vector<std::unique_ptr<Work>> started_;
  bool more_ = false;
  size_t unstarted_ = 0;  // buckets [0, unstarted_) are still to be started
};

// A parameter's accumulator lives only as long as someone holds it, and the hook with it.
struct GradientReducer::Hook {
  std::shared_ptr<torch::autograd::Node> accumulator;
  uintptr_t key;
};

GradientReducer::GradientReducer(ProcessGroup& group, std::vector<torch::Tensor> parameters,
                                 torch::Tensor flat_gradient, int64_t bucket_bytes)
    : buckets_(
          std::make_unique<Buckets>(group, parameters, std::move(flat_gradient), bucket_bytes)) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    auto accumulator = torch::autograd::impl::grad_accumulator(parameters[i]);
    ensure(accumulator != nullptr, "GradientReducer: expected parameters that require gradients");
    const uintptr_t key = accumulator->add_post_hook(std::make_unique<AfterAccumulation>(
        [buckets = buckets_.get(), i] { buckets->arrived(i); }));
    hooks_.push_back({std::move(accumulator), key});
  }
}

GradientReducer::~GradientReducer() {
  for (const Hook& hook : hooks_) hook.accumulator->del_post_hook(hook.key);
}

void GradientReducer::expect_more(bool more) { buckets_->expect_more(more); }

void GradientReducer::wait() { buckets_->wait(); }

}  // namespace roundtrip
