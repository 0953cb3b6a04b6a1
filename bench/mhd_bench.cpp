// Cost of the MHD solver per cell and step on one core, against two things measured in the same
// run: the plain version of the scheme (tests/systems/mhd_reference.h) and what the arithmetic
// units allow. Then two trajectories on two threads against one on one.
//
// The limit. A cell and step takes 464 additions, multiplications, minima and maxima (limiter on),
// among them 8 divisions and 6 square roots:
//   slopes 12 x 8, half step 79, face states 24, Rusanov 2 x 101 (3 divisions, 2 roots each),
//   node field 4, update 26, primitive variables and time step 33.
// Divisions and roots occupy one unit that is many times slower than the others, so both bounds
// hold: 450 operations at the peak rate of multiply-adds (two operations each, though most here do
// not pair up so well), and 8 divisions plus 6 roots at their own rate. Their sum is called the
// limit. State and work rows of a 256 x 256 box pass through the second-level cache; memory is no
// bound.
//
// Times are processor time of the thread, the least of several runs, so that other work on the
// machine counts as little as possible; the two-thread ratio is also given in wall time.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

#include "roundtrip/base/threads.h"
#include "roundtrip/systems/mhd_initial.h"
#include "roundtrip/systems/mhd_solver.h"
#include "tests/systems/mhd_reference.h"

namespace roundtrip {
namespace {

constexpr double kOperations = 450, kDivisions = 8, kRoots = 6, kTarget = 80;

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Least seconds of `work` over `repeats` runs.
template <class Work>
double least(int repeats, Work work) {
  double best = 1e300;
  for (int k = 0; k < repeats; ++k) {
    const double start = thread_seconds();
    work();
    best = std::min(best, thread_seconds() - start);
  }
  return best;
}

volatile double source, sink;

using Lanes = double __attribute__((vector_size(32)));

// Nanoseconds per number of `operation`, applied over and over to twelve independent vectors: more
// than the latency of any unit covers, and as many as registers hold.
template <class Operation>
double nanoseconds_per(Operation operation) {
  constexpr int kRounds = 400000, kWidth = 12;
  const double seconds = least(5, [&] {
    Lanes values[kWidth];
    for (Lanes& value : values) {  // read one by one: of equal vectors only one would be computed
      value = Lanes{1.1, 1.2, 1.3, 1.4} * source;
    }
    for (int round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
      for (Lanes& value : values) operation(value);
    }
    for (const Lanes& value : values) sink = value[0] + value[3];
  });
  return 1e9 * seconds / (4.0 * kRounds * kWidth);
}

MhdState start(int64_t n) {
  return make_mhd_initial({}, 5.0 / 3, {n, n, 1.0 / static_cast<double>(n)}, {1, "bench", 0});
}

template <class Solver>
double nanoseconds_per_cell(int64_t n, int64_t steps, int repeats) {
  Solver solver({n, n, 1.0 / static_cast<double>(n)}, {}, start(n));
  const double seconds = least(repeats, [&] {
    for (int64_t k = 0; k < steps; ++k) solver.step(solver.stable_step());
  });
  return 1e9 * seconds / static_cast<double>(steps * n * n);
}

struct Pace {
  double wall, processor;  // seconds per trajectory piece: of the whole, and of the slower thread
};

Pace pace(int64_t threads, int64_t n, int64_t steps) {
  std::vector<double> used(threads);
  Pace best{1e300, 1e300};
  for (int repeat = 0; repeat < 7; ++repeat) {
    const double begin = wall_seconds();
    parallel_for(threads, threads, [&](int64_t i) {
      MhdSolver solver({n, n, 1.0 / static_cast<double>(n)}, {}, start(n));
      const double first = thread_seconds();
      for (int64_t k = 0; k < steps; ++k) solver.step(solver.stable_step());
      used[i] = thread_seconds() - first;
    });
    best.wall = std::min(best.wall, wall_seconds() - begin);
    best.processor = std::min(best.processor, *std::max_element(used.begin(), used.end()));
  }
  return best;
}

void run() {
  source = 0.999;
  const double factor = source;  // read at run time: nothing below is known to the compiler
  const Lanes c = {factor, factor, factor, factor};
  // A multiply-add counts as two operations.
  const double operation = nanoseconds_per([&](Lanes& x) { x = x * c + c; }) / 2;
  const double division = nanoseconds_per([&](Lanes& x) { x = c / x; });
  const double root = nanoseconds_per([&](Lanes& x) {  // the sum keeps x from settling at 1
    x = c + Lanes{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
  });
  const double arithmetic = kOperations * operation;
  const double slow_unit = kDivisions * division + kRoots * root;
  const double limit = arithmetic + slow_unit;
  std::printf("peak %.1f GFLOP/s, division %.2f ns, root %.2f ns per number\n", 1 / operation,
              division, root);
  std::printf(
      "limit per cell and step: %.1f ns arithmetic + %.1f ns divisions and roots = %.1f\n\n",
      arithmetic, slow_unit, limit);
  std::printf("   N  ns/cell/step  times limit  plain/ours  target(80 ns)/ours\n");
  for (const int64_t n : {64, 128, 256, 512}) {
    const int64_t steps = std::max<int64_t>(2, 500000 / (n * n));
    const double ours = nanoseconds_per_cell<MhdSolver>(n, steps, 15);
    const double plain = nanoseconds_per_cell<MhdReference>(n, 1 + steps / 20, 3);
    std::printf("%4ld %13.1f %12.2f %11.1f %19.2f\n", static_cast<long>(n), ours, ours / limit,
                plain / ours, kTarget / ours);
  }
  std::printf(
      "\ntwo threads, one trajectory each, against one thread (2 is perfect, 1.8 wanted):\n");
  for (const int64_t n : {64, 256}) {
    const int64_t steps = 8000000 / (n * n);
    const Pace one = pace(1, n, steps), two = pace(2, n, steps);
    std::printf("%4ld  throughput ratio %.2f by processor time, %.2f by wall time\n",
                static_cast<long>(n), 2 * one.processor / two.processor, 2 * one.wall / two.wall);
  }
}

}  // namespace
}  // namespace roundtrip

int main() { roundtrip::run(); }
