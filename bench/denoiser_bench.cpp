// The denoiser against its limit, the machine's own rate in large matrix products (2048^3, the same
// threads, in turn with ours so that both meet the same machine). Printed as ratios.
//   train_over_sgemm   one training step (forward, backward, clipping, AdamW and the average of
//                      weights), counted as three forward passes
//   sample_over_sgemm  one call without gradients
//   system_share       of the processor time of both, what the kernel took (page faults)
//   peak_gb            the most memory the process has held so far
#include <algorithm>
#include <chrono>
#include <functional>

#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/memory.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/models/conv_denoiser.h"
#include "roundtrip/models/denoiser.h"
#include "roundtrip/models/diffusion_transformer.h"
#include "roundtrip/train/adamw.h"

namespace roundtrip {
namespace {

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct ProcessorTime {
  double user = 0, system = 0;
};

ProcessorTime processor_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto total = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return {total(usage.ru_utime), total(usage.ru_stime)};
}

// One batch of inputs; their values do not matter for the time.
struct Batch {
  Batch(const DenoiserConfig& o, const FrameShape& latent, int64_t size) {
    const auto [channels, height, width] = latent;
    noised = torch::ones({size, channels, height, width});
    context = torch::ones({size, o.contexts, channels, height, width});
    numbers = torch::ones({size}, torch::kInt64);
  }
  torch::Tensor through(Denoiser& network) const {
    return network.forward(noised, context, noised, numbers, numbers, numbers);
  }
  torch::Tensor noised, context, numbers;
};

// A rate too small to matter: every step meets the same weights.
void train_once(Denoiser& network, AdamW& optimizer, const Batch& batch) {
  batch.through(network).square().mean().backward();
  optimizer.step(/*learning_rate=*/1e-12, optimizer.gradient_norm());
}

void sample_once(Denoiser& network, const Batch& batch) {
  const torch::NoGradGuard no_grad;
  benchmark::DoNotOptimize(batch.through(network));
}

// Opens all gates: behind shut ones every gradient is zero, which is not what training meets.
void open_gates(Denoiser& network) {
  const torch::NoGradGuard no_grad;
  for (auto& parameter : network.parameters()) parameter.add_(0.01);
}

// What is computed: after the last block only the target's tokens are read, so that the others go
// through neither its queries, its output nor its feed-forward part.
double computed_flops(const DenoiserConfig& options, const FrameShape& latent) {
  if (options.network == "conv") return conv_denoiser_flops(options, latent);
  const auto width = static_cast<double>(options.width);
  const auto tokens = static_cast<double>(transformer_tokens(options, latent));
  const int64_t places = latent.height * latent.width / options.patch / options.patch;
  const double unread = tokens - static_cast<double>(places);
  const double products = (2 + 2 * static_cast<double>(options.mlp_ratio)) * width * width;
  return transformer_flops(options, latent) - 2 * unread * (products + 2 * tokens * width);
}

void measure(benchmark::State& state, const DenoiserConfig& options, const FrameShape& latent,
             int64_t size) {
  const auto made =
      make_denoiser(options, {latent, {Boundary::periodic, Boundary::periodic}}, /*seed=*/0);
  Denoiser& network = *made;
  open_gates(network);
  FlatParameters parameters(network);
  AdamW optimizer(parameters, {});
  const Batch batch(options, latent, size);
  constexpr int64_t n = 2048;
  const torch::Tensor a = torch::rand({n, n}), b = torch::rand({n, n});
  torch::Tensor c = torch::empty({n, n});
  const double flops = computed_flops(options, latent) * static_cast<double>(size);
  // A few seconds in all, whatever the size.
  const int repeats = std::clamp(static_cast<int>(1e11 / flops), 4, 100);
  for (auto _ : state) {
    double product = 1e9, train = 1e9, sample = 1e9;
    ProcessorTime spent;
    for (int i = 0; i < repeats; ++i) {
      if (i % std::max(1, repeats / 10) == 0) {
        product = std::min(product, seconds([&] { torch::mm_out(c, a, b); }));
      }
      const ProcessorTime before = processor_time();
      train = std::min(train, seconds([&] { train_once(network, optimizer, batch); }));
      sample = std::min(sample, seconds([&] { sample_once(network, batch); }));
      const ProcessorTime after = processor_time();
      if (i == 0) continue;  // the first touch of memory is no steady state
      spent.user += after.user - before.user;
      spent.system += after.system - before.system;
    }
    const double rate = 2.0 * n * n * n / product;
    state.counters["sgemm_gflops"] = rate * 1e-9;
    state.counters["train_over_sgemm"] = 3 * flops / train / rate;
    state.counters["sample_over_sgemm"] = flops / sample / rate;
    state.counters["system_share"] = spent.system / (spent.user + spent.system);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak_gb"] = static_cast<double>(usage.ru_maxrss) / (1 << 20);
    state.SetIterationTime(train);
  }
}

// The paper's MHD denoiser at its batch of 16.
void BM_Paper(benchmark::State& state) { measure(state, {}, {24, 16, 16}, 16); }
BENCHMARK(BM_Paper)->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);

// What trains on a small machine: args are width, depth, patch, batch.
void BM_Small(benchmark::State& state) {
  const int64_t width = state.range(0);
  measure(state,
          {.width = width,
           .layers = state.range(1),
           .heads = width / 64,
           .condition_width = 128,
           .patch = state.range(2),
           .context = "channels",
           .positions = "sinusoidal"},
          {24, 8, 8}, state.range(3));
}
BENCHMARK(BM_Small)
    ->Args({128, 6, 1, 16})
    ->Args({192, 8, 1, 16})
    ->Args({192, 8, 1, 64})
    ->Args({192, 8, 2, 64})
    ->Args({192, 6, 2, 32})  // mhd-dit
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// The convolutional network on 64 x 64 fields: args are channels, blocks, batch.
void BM_Conv(benchmark::State& state) {
  measure(state,
          {.network = "conv",
           .condition_width = 64,
           .frequencies = 64,
           .time_index = false,
           .channels = {state.range(0)},
           .blocks = state.range(1),
           .anchor = false},
          {6, 64, 64}, state.range(2));
}
BENCHMARK(BM_Conv)
    ->Args({32, 4, 8})
    ->Args({48, 4, 4})  // mhd-small
    ->Args({64, 4, 8})
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace roundtrip

int main(int argc, char** argv) {
  roundtrip::keep_large_blocks();
  at::set_num_threads(static_cast<int>(roundtrip::available_threads()));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
