// Scoring a million Gaussian predictions on one core, against std::sort of as many doubles in the
// same run. The obvious way to calibration errors and quantiles sorts twice and then counts; here
// nothing is sorted, and all scores together should cost about one sort.
//
// Rows are also read from text, as `roundtrip score` gets them; the yardstick there is the bare
// conversion of the same cells by std::from_chars, cells found beforehand.
//
// Times are processor time of the thread, the least of several runs, the ways taking turns.
#include <algorithm>
#include <charconv>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "roundtrip/base/csv.h"
#include "roundtrip/base/random.h"
#include "roundtrip/metrics/scores.h"

namespace roundtrip {
namespace {

constexpr size_t kRows = 1000000;
constexpr int kRepeats = 7;

volatile double sink;

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<double> least_seconds(const std::vector<std::function<void()>>& ways) {
  std::vector<double> best(ways.size(), 1e300);
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (size_t way = 0; way < ways.size(); ++way) {
      const double start = thread_seconds();
      ways[way]();
      best[way] = std::min(best[way], thread_seconds() - start);
    }
  }
  return best;
}

struct Columns {
  std::vector<double> y, mean, sigma;
};

Columns draw() {
  Columns columns;
  const RandomStream random(1, "score_bench");
  for (size_t i = 0; i < kRows; ++i) {
    columns.mean.push_back(random.normal(i));
    columns.sigma.push_back(random.uniform(2 * kRows + i, 0.1, 0.3));
    columns.y.push_back(columns.mean[i] + columns.sigma[i] * random.normal(4 * kRows + i));
  }
  return columns;
}

void measure_scores(const Columns& columns) {
  const Predictions predictions{columns.y, columns.mean, columns.sigma};
  std::vector<int64_t> depth;
  for (size_t i = 0; i < kRows; ++i) depth.push_back(static_cast<int64_t>(i % 98));
  std::vector<double> sorted(kRows);
  const std::vector<double> seconds = least_seconds({
      [&] {
        std::copy(columns.y.begin(), columns.y.end(), sorted.begin());
        std::sort(sorted.begin(), sorted.end());
        sink = sorted[kRows / 2];
      },
      [&] { sink = score(predictions).gaussian.nll; },
      [&] { sink = gaussian_scores(predictions).nll; },
      [&] { sink = calibration_curve(predictions).errors.ma; },
      [&] { sink = score_by_group(predictions, depth)[0].scores.gaussian.nll; },
  });
  fmt::print("{} rows, std::sort of one column {:.0f} ms\n", kRows, 1e3 * seconds[0]);
  const char* names[] = {"all scores", "Gaussian scores", "calibration", "all scores, 98 depths"};
  for (size_t k = 0; k < std::size(names); ++k) {
    fmt::print("{:22} {:6.0f} ms  {:5.2f} of the sort\n", names[k], 1e3 * seconds[k + 1],
               seconds[k + 1] / seconds[0]);
  }
}

void measure_reading(const Columns& columns) {
  std::string text = "y,mean,sigma\n";
  for (size_t i = 0; i < kRows; ++i) {
    text += csv_line(
        {csv_number(columns.y[i]), csv_number(columns.mean[i]), csv_number(columns.sigma[i])});
  }
  std::vector<std::string_view> cells;
  CsvReader finder(text, "bench");
  while (finder.next()) {
    for (size_t column = 0; column < 3; ++column) cells.push_back(finder.text(column));
  }
  const std::vector<double> seconds = least_seconds({
      [&] {
        double sum = 0, value = 0;
        for (const std::string_view cell : cells) {
          std::from_chars(cell.data(), cell.data() + cell.size(), value);
          sum += value;
        }
        sink = sum;
      },
      [&] {
        CsvReader reader(text, "bench");
        double sum = 0;
        while (reader.next()) sum += reader.number(0) + reader.number(1) + reader.number(2);
        sink = sum;
      },
      [&] { sink = parse_csv(text, "bench").numbers("y")[0]; },
  });
  fmt::print("reading {:.0f} MB, conversion of the cells alone {:.0f} ms\n",
             1e-6 * static_cast<double>(text.size()), 1e3 * seconds[0]);
  fmt::print("{:22} {:6.0f} ms  {:5.2f} of the conversion\n", "CsvReader", 1e3 * seconds[1],
             seconds[1] / seconds[0]);
  fmt::print("{:22} {:6.0f} ms  {:5.2f} of the conversion\n", "CsvTable, one column",
             1e3 * seconds[2], seconds[2] / seconds[0]);
}

}  // namespace
}  // namespace roundtrip

int main() {
  const roundtrip::Columns columns = roundtrip::draw();
  roundtrip::measure_scores(columns);
  roundtrip::measure_reading(columns);
}
