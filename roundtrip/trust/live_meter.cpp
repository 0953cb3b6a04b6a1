#include "roundtrip/trust/live_meter.h"

#include <algorithm>

#include "roundtrip/base/error.h"

namespace roundtrip {

LiveMeter::LiveMeter(const Meter& meter, const std::vector<MeasuredTrajectory>& trajectories)
    : meter_(meter),
      scheduler_(meter.make_scheduler()),
      stopped_(trajectories.size(), false),
      steps_(trajectories.size()) {
  if (meter.needs_truth()) {
    throw Error("signal",
                "expected signals that need seed frames only, found one that needs later "
                "frames; a live rollout has none");
  }
  for (const MeasuredTrajectory& trajectory : trajectories) {
    running_.push_back(meter.start(trajectory, *scheduler_));
    for (const auto& signal : running_.back()->signals) signal->begin();
  }
}

LiveMeter::LiveMeter(const Meter& meter, const torch::Tensor& seed_frames)
    : LiveMeter(meter, std::vector<MeasuredTrajectory>{{.latents = seed_frames,
                                                        .fields = {},
                                                        .initial_frames = seed_frames.size(0),
                                                        .first_index = 0}}) {}

LiveMeter::~LiveMeter() = default;

bool LiveMeter::done() const {
  return depth_ == meter_.request().depths.back() ||
         std::all_of(stopped_.begin(), stopped_.end(), [](bool stopped) { return stopped; });
}

void LiveMeter::stop(size_t trajectory) { stopped_.at(trajectory) = true; }

int64_t LiveMeter::row_steps() const { return scheduler_->row_steps(); }

void LiveMeter::advance(size_t trajectory) {
  Meter::Running& running = *running_[trajectory];
  MeasuredRun& run = *running.run;
  Leg leg =
      forward_leg(run.rollout, scheduler_->stepper().contexts(), /*from=*/depth_ - 1, /*steps=*/1);
  leg.stepped = [&running, &run, this](int64_t, const torch::Tensor& context) {
    run.rollout.reach(depth_, context);
    for (const auto& signal : running.signals) signal->reached(depth_);
    run.start_return();
  };
  scheduler_->add(std::move(leg));
}

void LiveMeter::look(size_t trajectory) {
  const Meter::Running& running = *running_[trajectory];
  const MeasuredRun& run = *running.run;
  LiveStep& step = steps_[trajectory];
  step = {.depth = depth_,
          .frame = run.rollout.at_depth(depth_).clone(),
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
  scheduler_->run();
  for (size_t i = 0; i < running_.size(); ++i) {
    if (!stopped_[i]) look(i);
  }
  return steps_;
}

}  // namespace roundtrip
