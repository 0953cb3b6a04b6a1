#include "roundtrip/rollout/leg_pool.h"

#include <utility>

#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"

namespace roundtrip {

// The legs of one stepper: those in the batch, one per row, and those that wait.
class LegPool::Lane {
 public:
  Lane(Stepper& stepper, int64_t batch, bool one_by_one)
      : stepper_(stepper), one_by_one_(one_by_one) {
    ensure(batch >= 1, "leg pool: a batch holds a leg");
    const LatentShape frame = stepper.frame();
    const auto type = torch::TensorOptions(stepper.type());
    const int64_t n = stepper.contexts();
    context_ = torch::zeros({batch, n, frame.channels, frame.height, frame.width}, type);
    anchor_ = torch::zeros({batch, frame.channels, frame.height, frame.width}, type);
    target_ = torch::zeros({batch}, torch::kInt64);
    direction_ = torch::zeros({batch}, torch::kInt64);
  }

  Stepper& stepper() const { return stepper_; }

  void add(Leg leg) {
    ensure(leg.steps >= 1 && leg.context.sizes() == context_[0].sizes() &&
               leg.anchor.sizes() == anchor_[0].sizes(),
           "leg pool: a leg has steps, and frames of the stepper's shape");
    const int64_t steps = leg.steps;
    waiting_.emplace(-steps, std::move(leg));
  }

  // One step of every row; the number of rows, 0 when there is nothing to do.
  int64_t advance() {
    fill();
    const auto rows = static_cast<int64_t>(active_.size());
    if (rows == 0) return 0;
    slide(rows, one_by_one_ ? step_each(rows) : step(0, rows));
    for (size_t row = 0; row < active_.size(); ++row) {
      Active& active = active_[row];
      ++active.done;
      if (active.leg.stepped) active.leg.stepped(active.done, context_[static_cast<int64_t>(row)]);
    }
    drop_ended();
    return rows;
  }

 private:
  struct Active {
    Leg leg;
    int64_t done = 0;
  };

  torch::Tensor step(int64_t first, int64_t rows) {
    return stepper_.step({context_.narrow(0, first, rows), anchor_.narrow(0, first, rows),
                          target_.narrow(0, first, rows), direction_.narrow(0, first, rows)});
  }

  torch::Tensor step_each(int64_t rows) {
    std::vector<torch::Tensor> next;
    for (int64_t row = 0; row < rows; ++row) next.push_back(step(row, 1));
    return torch::cat(next);
  }

  void fill() {
    while (!waiting_.empty() && static_cast<int64_t>(active_.size()) < context_.size(0)) {
      Leg leg = std::move(waiting_.extract(waiting_.begin()).mapped());
      const auto row = static_cast<int64_t>(active_.size());
      context_[row].copy_(leg.context);
      anchor_[row].copy_(leg.anchor);
      target_.data_ptr<int64_t>()[row] = leg.target;
      direction_.data_ptr<int64_t>()[row] = leg.direction;
      leg.context.reset();
      leg.anchor.reset();
      active_.push_back({std::move(leg)});
    }
  }

  void slide(int64_t rows, const torch::Tensor& next) {
    const int64_t n = context_.size(1);
    // Slot by slot, since source and destination of one copy would overlap.
    for (int64_t slot = 0; slot + 1 < n; ++slot) {
      context_.narrow(0, 0, rows)
          .select(1, slot)
          .copy_(context_.narrow(0, 0, rows).select(1, slot + 1));
    }
    context_.narrow(0, 0, rows).select(1, n - 1).copy_(next);
    target_.narrow(0, 0, rows).add_(direction_.narrow(0, 0, rows));
  }

  // Moves the last row into the place of one that ended.
  void drop_ended() {
    for (size_t row = active_.size(); row-- > 0;) {
      if (active_[row].done < active_[row].leg.steps) continue;
      const size_t last = active_.size() - 1;
      if (row != last) {
        const auto to = static_cast<int64_t>(row), from = static_cast<int64_t>(last);
        context_[to].copy_(context_[from]);
        anchor_[to].copy_(anchor_[from]);
        target_.data_ptr<int64_t>()[to] = target_.data_ptr<int64_t>()[from];
        direction_.data_ptr<int64_t>()[to] = direction_.data_ptr<int64_t>()[from];
        active_[row] = std::move(active_[last]);
      }
      active_.pop_back();
    }
  }

  Stepper& stepper_;
  bool one_by_one_;
  torch::Tensor context_, anchor_, target_, direction_;  // of all rows
  std::vector<Active> active_;                           // one per row in use
  std::multimap<int64_t, Leg> waiting_;                  // longest first, then in order of arrival
};

LegPool::LegPool(std::vector<Stepper*> steppers, int64_t batch, bool one_by_one) {
  for (Stepper* stepper : steppers)
    lanes_.push_back(std::make_unique<Lane>(*stepper, batch, one_by_one));
  ensure(!lanes_.empty(), "leg pool: at least one stepper");
}

LegPool::~LegPool() = default;

void LegPool::add(Leg leg) { lanes_.at(leg.stepper)->add(std::move(leg)); }

Stepper& LegPool::stepper(size_t which) const { return lanes_.at(which)->stepper(); }

void LegPool::run(const std::function<void(int64_t rows)>& advanced) {
  const torch::NoGradGuard no_grad;
  for (bool busy = true; busy;) {
    busy = false;
    for (const auto& lane : lanes_) {
      const int64_t rows = lane->advance();
      if (rows == 0) continue;
      busy = true;
      row_steps_ += rows;
      if (advanced) advanced(rows);
    }
  }
}

}  // namespace roundtrip
