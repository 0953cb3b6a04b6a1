#include "roundtrip/trust/measure.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

// Frames of one number, for counting steps without taking them.
class CountingStepper final : public Stepper {
 public:
  explicit CountingStepper(int64_t contexts) : contexts_(contexts) {}
  torch::Tensor step(const FrameWindows& inputs) override { return inputs.anchor; }
  int64_t contexts() const override { return contexts_; }
  FrameShape frame() const override { return {1, 1, 1}; }

 private:
  int64_t contexts_;
};

void check_depths(const std::vector<int64_t>& depths) {
  if (depths.empty()) throw Error("depths", "expected at least one depth, found none");
  if (depths.front() < 1) {
    throw Error("depths", fmt::format("expected depths of at least 1, found {}; depth i is the "
                                      "i-th predicted frame",
                                      depths.front()));
  }
  ensure(std::is_sorted(depths.begin(), depths.end()), "depths ascend");
}

}  // namespace

Meter::Meter(const Surrogate& surrogate, const MeasureRequest& request,
             std::function<torch::Tensor()> training_windows)
    : request_(request), steppers_{surrogate.stepper} {
  setup_ = {.live = surrogate.codec->live_channels(),
            .layout = surrogate.layout,
            .codec = surrogate.codec,
            .samples = request.samples,
            .training_windows = std::move(training_windows),
            .stepper_of = {}};
  add_signals();
  // Every sample has its stepper in the schedulers, the same for all runs.
  std::map<std::pair<int64_t, bool>, size_t> index_of;
  for (const bool ancestral : {false, true}) {
    const auto kind = ancestral ? SignalEntry::Others::ancestral : SignalEntry::Others::noise;
    const auto asks = std::find_if(rows_.begin(), rows_.end(),
                                   [=](const SignalEntry* row) { return row->others == kind; });
    if (asks == rows_.end()) continue;
    if (!surrogate.sample) {
      throw Error("signal", fmt::format("{}: expected a model that draws noise, found {}, which "
                                        "gives the same frames every time; leave the signal out",
                                        (*asks)->name, surrogate.name));
    }
    if (request.samples < 2) {
      throw Error("signal", fmt::format("{}: expected at least 2 samples, found {}", (*asks)->name,
                                        request.samples));
    }
    for (int64_t sample = ancestral ? 0 : 1; sample < request.samples; ++sample) {
      index_of[{sample, ancestral}] = steppers_.size();
      steppers_.push_back(surrogate.sample(sample, ancestral));
    }
  }
  setup_.stepper_of = [index_of](int64_t sample, bool ancestral) {
    return index_of.at({sample, ancestral});
  };
}

Meter::Meter(std::shared_ptr<Stepper> stepper, const MeasureRequest& request)
    : request_(request), steppers_{std::move(stepper)} {
  setup_.live = {0};
  setup_.samples = request.samples;
  setup_.stepper_of = [](int64_t, bool) { return size_t{0}; };
  add_signals();
}

Meter::~Meter() = default;

void Meter::add_signals() {
  check_depths(request_.depths);
  rows_ = find_signals(request_.signals);
  for (const SignalEntry* row : rows_) {
    const auto names = column_names(*row, setup_.layout.channels);
    columns_.insert(columns_.end(), names.begin(), names.end());
  }
}

bool Meter::needs_truth() const {
  return std::any_of(rows_.begin(), rows_.end(), [](const SignalEntry* row) {
    return row->needs != SignalEntry::Needs::seed_frames;
  });
}

bool Meter::needs_whole() const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [](const SignalEntry* row) { return row->needs == SignalEntry::Needs::whole; });
}

bool Meter::needs_fields() const {
  return std::any_of(rows_.begin(), rows_.end(), [](const SignalEntry* row) { return row->decoded; });
}

std::unique_ptr<BatchScheduler> Meter::make_scheduler() const {
  std::vector<Stepper*> steppers;
  for (const auto& stepper : steppers_) steppers.push_back(stepper.get());
  return std::make_unique<BatchScheduler>(std::move(steppers), request_.batch, request_.one_by_one);
}

std::unique_ptr<Meter::Running> Meter::start(const MeasuredTrajectory& trajectory,
                                             BatchScheduler& scheduler) const {
  const auto type = scheduler.stepper().type();
  if (!trajectory.latents.isfinite().all().item<bool>()) {
    throw Error("meter", "expected finite frames, found NaN or infinity among those given");
  }
  auto running = std::make_unique<Running>();
  running->run = std::make_unique<MeasuredRun>();
  MeasuredRun& run = *running->run;
  run.rollout = make_rollout(trajectory.latents.narrow(0, 0, trajectory.initial_frames).to(type),
                             request_.depths.back(), trajectory.first_index, /*direction=*/+1);
  if (needs_truth()) run.truth = trajectory.latents.to(type);
  run.fields = trajectory.fields;
  run.depths = request_.depths;
  run.scheduler = &scheduler;
  running->table.assign(
      request_.depths.size(),
      std::vector<double>(columns_.size(), std::numeric_limits<double>::quiet_NaN()));
  run.record = [this, table = &running->table](const std::string& column, int64_t depth,
                                               double value) {
    const auto row = std::lower_bound(request_.depths.begin(), request_.depths.end(), depth);
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    ensure(found != columns_.end(), "a signal records its own columns");
    (*table)[static_cast<size_t>(row - request_.depths.begin())]
            [static_cast<size_t>(found - columns_.begin())] = value;
  };
  for (const SignalEntry* row : rows_) running->signals.push_back(make_signal(*row, setup_, run));
  return running;
}

std::vector<SignalTable> Meter::measure(const std::vector<MeasuredTrajectory>& trajectories,
                                        const std::function<void(int64_t)>& advanced) const {
  const auto scheduler = make_scheduler();
  std::vector<std::unique_ptr<Running>> all;
  for (const MeasuredTrajectory& trajectory : trajectories) {
    all.push_back(start(trajectory, *scheduler));
    Running& running = *all.back();
    MeasuredRun& run = *running.run;
    Leg leg =
        forward_leg(run.rollout, scheduler->stepper().contexts(), /*from=*/0, run.rollout.depth());
    leg.stepped = [&running, &run](int64_t depth, const torch::Tensor& context) {
      run.rollout.reach(depth, context);
      for (const auto& signal : running.signals) signal->reached(depth);
      run.start_return();
      if (depth < run.rollout.depth()) return;
      for (const auto& signal : running.signals) signal->ended();
    };
    for (const auto& signal : running.signals) signal->begin();
    scheduler->add(std::move(leg));
  }
  scheduler->run(advanced);
  std::vector<SignalTable> tables;
  for (const auto& running : all) tables.push_back(std::move(running->table));
  return tables;
}

int64_t Meter::row_steps(int64_t initial_frames, int64_t frames) const {
  MeasureRequest counted = request_;
  counted.signals.clear();
  for (const SignalEntry* row : rows_) {
    if (row->work == SignalEntry::Work::steps) counted.signals.emplace_back(row->name);
  }
  const Meter meter(std::make_shared<CountingStepper>(steppers_.front()->contexts()), counted);
  int64_t steps = 0;
  meter.measure({{.latents = torch::zeros({std::max(frames, initial_frames), 1, 1, 1}),
                  .fields = {},
                  .initial_frames = initial_frames,
                  .first_index = 0}},
                [&](int64_t rows) { steps += rows; });
  return steps;
}

}  // namespace roundtrip
