// A step of the Navier-Stokes solver against its limit, the transforms it cannot do without: the
// same plans run as often on the same sizes, with nothing between them. Printed as ratios.
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>

#include <benchmark/benchmark.h>
#include <fftw3.h>

#include "roundtrip/base/threads.h"
#include "roundtrip/systems/fno_scheme.h"
#include "roundtrip/systems/gaussian_random_field.h"
#include "roundtrip/systems/navier_stokes.h"
#include "roundtrip/systems/navier_stokes_solver.h"

namespace roundtrip {
namespace {

constexpr int kStages = 4;
constexpr double kStep = 1e-3;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The fastest of many runs of a and b, taken in turn so that both meet the same machine.
std::pair<double, double> fastest(const std::function<void()>& a, const std::function<void()>& b,
                                  int repeats) {
  double best_a = 1e9, best_b = 1e9;
  for (int i = 0; i < repeats; ++i) {
    best_a = std::min(best_a, seconds(a));
    best_b = std::min(best_b, seconds(b));
  }
  return {best_a, best_b};
}

VorticityFlow flow(int64_t n) { return {n, 1e-5, diagonal_forcing(n, 0.1)}; }

Spectrum start(int64_t n) { return GaussianRandomField{}.sample(RandomStream(1, "bench"), n); }

// The transforms of one stage of make_ifrk4, alone.
class StageTransforms {
 public:
  explicit StageTransforms(int64_t n)
      : fft_(n, (n - 1) / 3), modes_(fft_.size()), values_(fft_.block() * n) {}

  void run() {
    fft_.columns_to_values(modes_.data());
    for (int64_t row = 0; row < fft_.n(); row += fft_.block()) {
      Complex* rows = modes_.data() + row * fft_.pitch();
      fft_.rows_to_values(rows, values_.data());
      fft_.rows_to_modes(values_.data(), rows);
    }
    fft_.columns_to_modes(modes_.data());
  }

 private:
  TruncatedFft2d fft_;
  AlignedVector<Complex> modes_;  // zeros stay zeros, and cost a transform what other numbers cost
  AlignedVector<Complex> values_;
};

// FFTW's own two-dimensional real transforms, as many as the textbook uses: u, v, w_x, w_y to the
// grid and their product back. Scaling is left out.
class TextbookTransforms {
 public:
  explicit TextbookTransforms(int64_t n) : field_(n * n), spectrum_(spectrum_size(n)) {
    const int size = static_cast<int>(n);
    auto* modes = reinterpret_cast<fftw_complex*>(spectrum_.data());
    inverse_ = fftw_plan_dft_c2r_2d(size, size, modes, field_.data(), FFTW_ESTIMATE);
    forward_ = fftw_plan_dft_r2c_2d(size, size, field_.data(), modes, FFTW_ESTIMATE);
    std::fill(field_.begin(), field_.end(), 0.0);
    std::fill(spectrum_.begin(), spectrum_.end(), Complex{});
  }
  ~TextbookTransforms() {
    fftw_destroy_plan(inverse_);
    fftw_destroy_plan(forward_);
  }
  void run() {
    for (int i = 0; i < 4; ++i) fftw_execute(inverse_);
    fftw_execute(forward_);
  }

 private:
  Field field_;
  Spectrum spectrum_;
  fftw_plan inverse_, forward_;
};

// Counters: step_over_ffts (limit 1, target at most 1.5), step_over_textbook_ffts.
void BM_Step(benchmark::State& state) {
  const int64_t n = state.range(0);
  const auto solver = make_ifrk4(flow(n), {.dt = kStep});
  solver->set(start(n));
  StageTransforms transforms(n);
  TextbookTransforms textbook(n);
  const int steps = static_cast<int>(std::max<int64_t>(1, 4 * 128 * 128 / (n * n)));
  const auto step = [&] { solver->advance(steps * kStep); };
  const auto repeat = [&](auto& work) {
    return [&] {
      for (int i = 0; i < steps * kStages; ++i) work.run();
    };
  };
  for (auto _ : state) {
    const auto [ours, ffts] = fastest(step, repeat(transforms), 60);
    const auto [again, plain] = fastest(step, repeat(textbook), 20);
    const double best = std::min(ours, again);
    state.counters["step_over_ffts"] = ours / ffts;
    state.counters["step_over_textbook_ffts"] = again / plain;
    state.counters["step_us"] = best / steps * 1e6;
    state.SetIterationTime(best / steps);
  }
}
BENCHMARK(BM_Step)->Arg(64)->Arg(128)->Arg(256)->Iterations(1)->UseManualTime();

// FNO's scheme against its own five real transforms.
void BM_FnoStep(benchmark::State& state) {
  const int64_t n = state.range(0);
  const auto solver = make_fno_scheme(flow(n), kStep);
  solver->set(start(n));
  TextbookTransforms transforms(n);
  for (auto _ : state) {
    const auto [ours, ffts] = fastest([&] { solver->advance(8 * kStep); },
                                      [&] {
                                        for (int i = 0; i < 8; ++i) transforms.run();
                                      },
                                      40);
    state.counters["step_over_ffts"] = ours / ffts;
    state.counters["step_us"] = ours / 8 * 1e6;
    state.SetIterationTime(ours / 8);
  }
}
BENCHMARK(BM_FnoStep)->Arg(64)->Arg(128)->Arg(256)->Iterations(1)->UseManualTime();

// Two trajectories on two threads against the same two on one. Counter: speedup, at most 2.
void BM_TwoThreads(benchmark::State& state) {
  const auto system = make_navier_stokes("small", {"end_time=4", "frames=2"});
  const auto run = [&](int64_t threads) {
    return [&system, threads] {
      parallel_for(2, threads, [&](int64_t i) {
        system->solve({1, "train", i}, [](int64_t, std::span<const float>) {});
      });
    };
  };
  for (auto _ : state) {
    const auto [two, one] = fastest(run(2), run(1), 12);
    state.counters["speedup"] = one / two;
    state.SetIterationTime(two);
  }
}
BENCHMARK(BM_TwoThreads)->Iterations(1)->UseManualTime();

// One whole trajectory of the small preset.
void BM_SmallTrajectory(benchmark::State& state) {
  const auto system = make_navier_stokes("small", {});
  for (auto _ : state) {
    const SolveReport report =
        system->solve({1, "train", 0}, [](int64_t, std::span<const float>) {});
    state.counters["steps"] = static_cast<double>(report.steps);
  }
}
BENCHMARK(BM_SmallTrajectory)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace roundtrip

BENCHMARK_MAIN();
