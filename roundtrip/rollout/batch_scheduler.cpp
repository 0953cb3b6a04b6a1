#include "roundtrip/rollout/batch_scheduler.h"

#include <utility>

#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"

namespace roundtrip {

// The legs of one stepper: those in the batch, one per row, and those that wait.
class BatchScheduler::Queue {
 public:
  Queue(Stepper& stepper, int64_t batch, bool one_by_one)
      : stepper_(stepper), one_by_one_(one_by_one) {
    ensure(batch >= 1, "leg scheduler: a batch holds a leg");
    const FrameShape frame = stepper.frame();
    const auto type = torch::TensorOptions(stepper.type());
    const int64_t n = stepper.contexts();
    rows_ = {torch::zeros(frame.sizes({batch, n}), type), torch::zeros(frame.sizes({batch}), type),
             torch::zeros({batch}, torch::kInt64), torch::zeros({batch}, torch::kInt64)};
  }

  Stepper& stepper() const { return stepper_; }

  void add(Leg leg) {
    const FrameWindows row = rows_.narrow(0, 1);
    ensure(leg.steps >= 1 && leg.window.context.sizes() == row.context.sizes() &&
               leg.window.anchor.sizes() == row.anchor.sizes(),
           "leg scheduler: a leg has steps, and one window of the stepper's shape");
    const int64_t steps = leg.steps;
    waiting_.emplace(-steps, std::move(leg));
  }

  // One step of every row; the number of rows, 0 when there is nothing to do.
  int64_t advance() {
    fill();
    const auto rows = static_cast<int64_t>(active_.size());
    if (rows == 0) return 0;
    rows_.narrow(0, rows).advance(one_by_one_ ? step_each(rows)
                                              : stepper_.step(rows_.narrow(0, rows)));
    for (size_t row = 0; row < active_.size(); ++row) {
      Active& active = active_[row];
      ++active.done;
      if (active.leg.stepped)
        active.leg.stepped(active.done, rows_.context[static_cast<int64_t>(row)]);
    }
    drop_ended();
    return rows;
  }

 private:
  struct Active {
    Leg leg;
    int64_t done = 0;
  };

  torch::Tensor step_each(int64_t rows) {
    std::vector<torch::Tensor> next;
    for (int64_t row = 0; row < rows; ++row) next.push_back(stepper_.step(rows_.narrow(row, 1)));
    return torch::cat(next);
  }

  void fill() {
    while (!waiting_.empty() && static_cast<int64_t>(active_.size()) < rows_.rows()) {
      Leg leg = std::move(waiting_.extract(waiting_.begin()).mapped());
      rows_.narrow(static_cast<int64_t>(active_.size()), 1).copy_(leg.window);
      leg.window = {};
      active_.push_back({std::move(leg)});
    }
  }

  // Moves the last row over one that ended.
  void drop_ended() {
    for (size_t row = active_.size(); row-- > 0;) {
      if (active_[row].done < active_[row].leg.steps) continue;
      const size_t last = active_.size() - 1;
      if (row != last) {
        rows_.narrow(static_cast<int64_t>(row), 1)
            .copy_(rows_.narrow(static_cast<int64_t>(last), 1));
        active_[row] = std::move(active_[last]);
      }
      active_.pop_back();
    }
  }

  Stepper& stepper_;
  bool one_by_one_;
  FrameWindows rows_;                    // as many as a batch holds
  std::vector<Active> active_;           // one per row in use
  std::multimap<int64_t, Leg> waiting_;  // longest first, then in order of arrival
};

BatchScheduler::BatchScheduler(std::vector<Stepper*> steppers, int64_t batch, bool one_by_one) {
  for (Stepper* stepper : steppers)
    queues_.push_back(std::make_unique<Queue>(*stepper, batch, one_by_one));
  ensure(!queues_.empty(), "leg scheduler: at least one stepper");
}

BatchScheduler::~BatchScheduler() = default;

void BatchScheduler::add(Leg leg) { queues_.at(leg.stepper)->add(std::move(leg)); }

Stepper& BatchScheduler::stepper(size_t which) const { return queues_.at(which)->stepper(); }

void BatchScheduler::run(const std::function<void(int64_t rows)>& advanced) {
  const torch::NoGradGuard no_grad;
  for (bool busy = true; busy;) {
    busy = false;
    for (const auto& queue : queues_) {
      const int64_t rows = queue->advance();
      if (rows == 0) continue;
      busy = true;
      row_steps_ += rows;
      if (advanced) advanced(rows);
    }
  }
}

}  // namespace roundtrip
