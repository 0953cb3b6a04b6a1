// A table of curves against its limit: the number of steps it takes, times the time of one row in
// a batch of the best size. And what every signal costs, in units of the plain rollout. The model
// has the size of mhd-dit; its weights are random, which changes no time.
//   over_plain         full curve in calls of one row, over that in whole batches
//   curve_over_limit   full curve (C at every depth), all trajectories together; least and most
//                      of five measurements
//   rollouts_by_time   a signal alone, its time over that of the rollout without signals
//   rollouts_by_steps  the same in steps
#include <algorithm>
#include <chrono>
#include <functional>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "roundtrip/base/memory.h"
#include "roundtrip/diffusion/samplers.h"
#include "roundtrip/models/identity_codec.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/nn/init.h"
#include "roundtrip/rollout/surrogate.h"
#include "roundtrip/trust/measure.h"

namespace roundtrip {
namespace {

constexpr FrameShape kLatent{24, 8, 8};
constexpr int64_t kTrajectories = 32;
constexpr int64_t kDepth = 20;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Surrogate make_surrogate() {
  Model model;
  ModelMetadata& metadata = model.metadata;
  metadata.layout = {"bench", {}, kLatent.height, kLatent.width};
  for (int64_t c = 0; c < kLatent.channels; ++c) {
    metadata.layout.channels.push_back(fmt::format("c{}", c));
  }
  metadata.denoiser = {.contexts = 2,
                       .width = 192,
                       .depth = 6,
                       .heads = 3,
                       .condition_width = 128,
                       .patch = 2,
                       .context = "channels"};
  metadata.diffusion = {.steps = 1000, .prediction = "v", .target = "delta", .weight = "flat"};
  metadata.sampler = {.name = "ddim", .steps = 2, .spacing = "leading"};
  const auto channels = static_cast<size_t>(kLatent.channels);
  metadata.delta_std.assign(channels, 0.1);
  model.codec = std::make_shared<Codec>(
      make_identity_codec({kLatent.channels, kLatent.height, kLatent.width}),
      CodecScales{std::vector<double>(channels, 0), std::vector<double>(channels, 1),
                  identity_standardiser(kLatent.channels)});
  const auto denoiser = make_denoiser(metadata.denoiser, {kLatent}, /*seed=*/0);
  denoiser->eval();
  model.predictor =
      std::make_shared<FramePredictor>(denoiser, metadata.diffusion, metadata.delta_std);
  Surrogate surrogate = make_diffusion_surrogate(model, sampling_of(metadata));
  surrogate.name = "bench";
  return surrogate;
}

// Seconds per row in a long run of batches: as long as the curve it is compared with, so that both
// see the same machine.
double row_time(Stepper& stepper, int64_t rows, int64_t total_rows) {
  const torch::Tensor context = keyed_normal(
      {rows, stepper.contexts(), kLatent.channels, kLatent.height, kLatent.width}, 1, "limit");
  const torch::Tensor index = torch::ones({rows}, torch::kInt64);
  const int64_t calls = std::max<int64_t>(1, total_rows / rows);
  const double taken = seconds([&] {
    for (int64_t i = 0; i < calls; ++i) stepper.step({context, context.select(1, 0), index, index});
  });
  return taken / static_cast<double>(calls * rows);
}

// The batch in which a row takes least time, by the better of two runs each.
int64_t best_batch(Stepper& stepper) {
  int64_t best = 0;
  double least = 1e9;
  for (const int64_t rows : {16, 32, 64, 128}) {
    row_time(stepper, rows, rows);  // memory and threads are there afterwards
    const double taken = std::min(row_time(stepper, rows, 1024), row_time(stepper, rows, 1024));
    if (taken < least) best = rows;
    least = std::min(least, taken);
  }
  return best;
}

std::vector<MeasuredTrajectory> trajectories() {
  std::vector<MeasuredTrajectory> all;
  for (int64_t i = 0; i < kTrajectories; ++i) {
    const torch::Tensor latents =
        keyed_normal({2 + kDepth, kLatent.channels, kLatent.height, kLatent.width}, 1, "bench",
                     static_cast<uint64_t>(i));
    all.push_back({.latents = latents, .fields = latents, .initial_frames = 2, .first_index = 0});
  }
  return all;
}

std::vector<int64_t> all_depths() {
  std::vector<int64_t> depths;
  for (int64_t i = 1; i <= kDepth; ++i) depths.push_back(i);
  return depths;
}

double time_of(const Meter& meter, const std::vector<MeasuredTrajectory>& all) {
  double best = 1e9;
  for (int repeat = 0; repeat < 3; ++repeat) {
    best = std::min(best, seconds([&] { meter.measure(all); }));
  }
  return best;
}

// Limit and curve in turn, five times: the median of the ratios, and how far they reach.
void BM_FullCurve(benchmark::State& state) {
  const Surrogate surrogate = make_surrogate();
  const Meter meter(surrogate, {.depths = all_depths(), .signals = {"round_trip"}});
  const auto all = trajectories();
  const int64_t steps = kTrajectories * meter.row_steps(2, 2 + kDepth);
  const int64_t batch = best_batch(*surrogate.stepper);
  for (auto _ : state) {
    std::vector<double> ratios;
    double taken = 0;
    meter.measure(all);
    for (int round = 0; round < 5; ++round) {
      const double row = row_time(*surrogate.stepper, batch, steps);
      taken = seconds([&] { meter.measure(all); });
      ratios.push_back(taken / (static_cast<double>(steps) * row));
    }
    std::sort(ratios.begin(), ratios.end());
    state.counters["curve_over_limit"] = ratios[2];
    state.counters["least"] = ratios.front();
    state.counters["most"] = ratios.back();
    state.counters["best_batch"] = static_cast<double>(batch);
    state.counters["steps"] = static_cast<double>(steps);
    state.SetIterationTime(taken);
  }
}
BENCHMARK(BM_FullCurve)->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);

// Whole batches against calls of one row: what those cost, and whether two batches of other sizes
// agree in all bits without them.
void BM_OneByOne(benchmark::State& state) {
  const Surrogate surrogate = make_surrogate();
  const MeasureRequest plain{.depths = all_depths(), .signals = {"round_trip"}};
  MeasureRequest single = plain, other = plain;
  single.one_by_one = true;
  other.batch = 17;
  const auto all = trajectories();
  for (auto _ : state) {
    const Meter meter(surrogate, plain);
    const double taken = time_of(Meter(surrogate, single), all);
    state.counters["over_plain"] = taken / time_of(meter, all);
    state.counters["same_bits"] = meter.measure(all) == Meter(surrogate, other).measure(all);
    state.SetIterationTime(taken);
  }
}
BENCHMARK(BM_OneByOne)->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);

void BM_Signal(benchmark::State& state, const std::string& name) {
  const Surrogate surrogate = make_surrogate();
  const auto all = trajectories();
  const torch::Tensor seeds =
      keyed_normal({500, 2, kLatent.channels, kLatent.height, kLatent.width}, 2, "bench");
  const auto known = [&] { return seeds; };
  const Meter plain(surrogate, {.depths = {kDepth}, .signals = {"error"}});
  const Meter meter(surrogate, {.depths = {kDepth}, .signals = {name}}, known);
  for (auto _ : state) {
    const double taken = time_of(meter, all);
    state.counters["rollouts_by_time"] = taken / time_of(plain, all);
    state.counters["rollouts_by_steps"] =
        static_cast<double>(meter.row_steps(2, 2 + kDepth)) / static_cast<double>(kDepth);
    state.SetIterationTime(taken);
  }
}

}  // namespace
}  // namespace roundtrip

int main(int argc, char** argv) {
  roundtrip::keep_large_blocks();
  roundtrip::use_all_threads();
  for (const roundtrip::SignalEntry& row : roundtrip::signals()) {
    benchmark::RegisterBenchmark(fmt::format("signal/{}", row.name).c_str(), roundtrip::BM_Signal,
                                 std::string(row.name))
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
