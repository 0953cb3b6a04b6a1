// Calibrating a table of 10,000 rows, all features and the full grid of degrees, against sorting
// the same rows.
//
// Sorting by (trajectory, depth) is what any use of such a table costs at least. A calibrator is
// 20 pairs of degrees, each fitted to all rows and to five folds of them: 120 searches, each of a
// few passes over the rows. One thread.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "roundtrip/base/csv.h"
#include "roundtrip/base/random.h"
#include "roundtrip/calibration/calibrate.h"

namespace roundtrip {
namespace {

constexpr int64_t kTrajectories = 100;
constexpr int64_t kDepths = 100;

std::string bench_table() {
  std::string text =
      "split,trajectory,depth,C,E,spread_seed,local_1,local_4,seed_step,seed_knn,seed_codec\n";
  for (int64_t t = 0; t < kTrajectories; ++t) {
    const RandomStream noise(1, "bench.curves", static_cast<uint64_t>(t));
    const double quality = 0.3 * noise.normal(0);
    for (int64_t d = 1; d <= kDepths; ++d) {
      const auto at = static_cast<uint64_t>(10 * d);
      const double log_e =
          -4 + 1.2 * std::log(static_cast<double>(d)) + quality + 0.1 * noise.normal(at);
      text += fmt::format("calibration,{},{}", t, d);
      for (uint64_t k = 1; k <= 5; ++k) {
        text += fmt::format(",{:.9g}", std::exp(log_e + (k == 2 ? 0 : 0.1 * noise.normal(at + k))));
      }
      for (uint64_t k = 1; k <= 3; ++k) {
        text += fmt::format(",{:.9g}", std::exp(quality + 0.3 * noise.normal(k)));
      }
      text += '\n';
    }
  }
  return text;
}

double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The rows as records in a random order, sorted by key; the fastest of several.
double sorting_time(const CurveTable& table) {
  struct Row {
    int64_t trajectory, depth;
    double values[8];
  };
  std::vector<Row> rows;
  for (const Curve& curve : table.curves) {
    for (const int64_t depth : curve.depths) rows.push_back({curve.trajectory, depth, {}});
  }
  const RandomStream random(2, "bench.order");
  for (size_t i = rows.size(); i-- > 1;) std::swap(rows[i], rows[random.bits(i) % (i + 1)]);
  double best = 1e300;
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::vector<Row> copy = rows;
    best = std::min(best, seconds([&] {
                      std::sort(copy.begin(), copy.end(), [](const Row& a, const Row& b) {
                        return std::tie(a.trajectory, a.depth) < std::tie(b.trajectory, b.depth);
                      });
                    }));
  }
  return best;
}

void measure() {
  const std::string text = bench_table();
  CurveTable table;
  const double reading = seconds([&] { table = curves_from(parse_csv(text, "bench")); });
  const double sorting = sorting_time(table);
  for (const bool conformal : {true, false}) {
    CalibrateOptions options;
    options.conformal = conformal;
    size_t fits = 0;
    double fitting = 1e300;
    for (int repeat = 0; repeat < 3; ++repeat) {
      fitting = std::min(fitting, seconds([&] { fits = calibrate(table, options).fits.size(); }));
    }
    fmt::print(
        "{} rows, {} calibrators{}: {:.2f} s, {:.0f} times sorting ({:.2f} ms) in all, {:.0f} per "
        "calibrator; reading the table {:.0f} times\n",
        table.rows(), fits, conformal ? ", half the rows set aside" : "", fitting,
        fitting / sorting, sorting * 1e3, fitting / sorting / static_cast<double>(fits),
        reading / sorting);
  }
}

}  // namespace
}  // namespace roundtrip

int main() { roundtrip::measure(); }
