#include "roundtrip/trust/live_meter.h"

#include <algorithm>

#include "roundtrip/base/error.h"

namespace roundtrip {

LiveMeter::LiveMeter(const Meter& meter, const torch::Tensor& seeds, int64_t first_index,
                     const torch::Tensor& fields)
    : meter_(meter), pool_(meter.make_pool()) {
  if (meter.needs_truth()) {
    throw Error("signal",
                "expected signals that need seeds only, found one that needs later "
                "frames; a live rollout has none");
  }
  running_ = meter.start(
      {.latents = seeds, .fields = fields, .seeds = seeds.size(0), .first_index = first_index},
      *pool_);
  for (const auto& signal : running_->signals) signal->begin();
}

LiveMeter::~LiveMeter() = default;

bool LiveMeter::done() const { return depth_ == running_->run->course.depth(); }

int64_t LiveMeter::row_steps() const { return pool_->row_steps(); }

LiveStep LiveMeter::next() {
  ensure(!done(), "live meter: a depth is left");
  MeasuredRun& run = *running_->run;
  Leg leg = onward_leg(run.course, pool_->stepper().contexts(), /*from=*/depth_, /*steps=*/1);
  ++depth_;
  leg.stepped = [&run, this](int64_t, const torch::Tensor& context) {
    run.course.frames[run.course.seeds + depth_ - 1].copy_(context[-1]);
    for (const auto& signal : running_->signals) signal->reached(depth_);
    run.start_return();
  };
  pool_->add(std::move(leg));
  pool_->run();
  LiveStep step{.depth = depth_,
                .frame = run.course.at_depth(depth_).clone(),
                .checked = run.recorded(depth_),
                .signals = {}};
  if (step.checked) {
    const auto row = std::lower_bound(run.depths.begin(), run.depths.end(), depth_);
    step.signals = running_->table[static_cast<size_t>(row - run.depths.begin())];
  }
  return step;
}

}  // namespace roundtrip
