#include "roundtrip/trust/live_meter.h"

#include <algorithm>

#include "roundtrip/base/error.h"

namespace roundtrip {

LiveMeter::LiveMeter(const Meter& meter, const std::vector<MeasuredTrajectory>& trajectories)
    : meter_(meter),
      pool_(meter.make_pool()),
      stopped_(trajectories.size(), false),
      steps_(trajectories.size()) {
  if (meter.needs_truth()) {
    throw Error("signal",
                "expected signals that need seeds only, found one that needs later "
                "frames; a live rollout has none");
  }
  for (const MeasuredTrajectory& trajectory : trajectories) {
    running_.push_back(meter.start(trajectory, *pool_));
    for (const auto& signal : running_.back()->signals) signal->begin();
  }
}

LiveMeter::LiveMeter(const Meter& meter, const torch::Tensor& seeds)
    : LiveMeter(meter,
                std::vector<MeasuredTrajectory>{
                    {.latents = seeds, .fields = {}, .seeds = seeds.size(0), .first_index = 0}}) {}

LiveMeter::~LiveMeter() = default;

bool LiveMeter::done() const {
  return depth_ == meter_.request().depths.back() ||
         std::all_of(stopped_.begin(), stopped_.end(), [](bool stopped) { return stopped; });
}

void LiveMeter::stop(size_t trajectory) { stopped_.at(trajectory) = true; }

int64_t LiveMeter::row_steps() const { return pool_->row_steps(); }

void LiveMeter::advance(size_t trajectory) {
  Meter::Running& running = *running_[trajectory];
  MeasuredRun& run = *running.run;
  Leg leg = onward_leg(run.course, pool_->stepper().contexts(), /*from=*/depth_ - 1, /*steps=*/1);
  leg.stepped = [&running, &run, this](int64_t, const torch::Tensor& context) {
    run.course.reach(depth_, context);
    for (const auto& signal : running.signals) signal->reached(depth_);
    run.start_return();
  };
  pool_->add(std::move(leg));
}

void LiveMeter::look(size_t trajectory) {
  const Meter::Running& running = *running_[trajectory];
  const MeasuredRun& run = *running.run;
  LiveStep& step = steps_[trajectory];
  step = {.depth = depth_,
          .frame = run.course.at_depth(depth_).clone(),
          .checked = run.recorded(depth_),
          .signals = {}};
  if (!step.checked) return;
  const auto row = std::lower_bound(run.depths.begin(), run.depths.end(), depth_);
  step.signals = running.table[static_cast<size_t>(row - run.depths.begin())];
}

const std::vector<LiveStep>& LiveMeter::next() {
  ensure(!done(), "live meter: a depth is left");
  ++depth_;
  for (size_t i = 0; i < running_.size(); ++i) {
    if (!stopped_[i]) advance(i);
  }
  pool_->run();
  for (size_t i = 0; i < running_.size(); ++i) {
    if (!stopped_[i]) look(i);
  }
  return steps_;
}

}  // namespace roundtrip
