#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "roundtrip/base/random.h"
#include "roundtrip/calibration/calibrate.h"
#include "roundtrip/calibration/pixel_tally.h"
#include "roundtrip/report/records.h"
#include "roundtrip/metrics/normal.h"
#include "roundtrip/evaluation/measurements.h"
#include "roundtrip/evaluation/paper_numbers.h"

namespace roundtrip {

/// The columns of one row.
using SyntheticRow = std::map<std::string, double>;
using SyntheticRule = std::function<SyntheticRow(int64_t trajectory, int64_t depth)>;

/// A table of rollouts with depths 1, 2, ...
inline CurveTable synthetic_table(const std::string& split, int64_t trajectories, int64_t depths,
                                  const SyntheticRule& rule) {
  CurveTable table{.where = split + ".csv", .columns = {}, .curves = {}};
  for (int64_t t = 0; t < trajectories; ++t) {
    Curve curve{.split = split, .trajectory = t, .depths = {}, .columns = {}};
    for (int64_t d = 1; d <= depths; ++d) curve.add(d, rule(t, d));
    table.curves.push_back(curve);
  }
  for (const auto& [name, values] : table.curves.front().columns) table.columns.push_back(name);
  return table;
}

/// A normal distribution by twenty of its quantiles, two trajectories each and in no order: tables
/// of forty trajectories have the same, and so have the halves that fit and that are set aside.
inline double normal_factor(int64_t t) {
  return normal_quantile((static_cast<double>(7 * (t / 2) % 20) + 0.5) / 20);
}

// log E = log depth + a factor of the trajectory + noise; log C = log E + noise. Deviations of the
// three: their ratios are what calibrators gain.
inline constexpr double kFactor = 0.5, kNoiseE = 0.1, kNoiseC = 0.1;

/// Of log E at a depth.
inline double deviation_at_depth() {
  double squares = 0;
  for (int64_t t = 0; t < 40; ++t) squares += std::pow(kFactor * normal_factor(t), 2) / 40;
  return std::sqrt(squares + kNoiseE * kNoiseE);
}

/// Of log E at a depth when log C is known: two variances in parallel.
inline double deviation_given_c() {
  const double v = std::pow(deviation_at_depth(), 2), noise = kNoiseC * kNoiseC;
  return std::sqrt(v * noise / (v + noise));
}

/// Rows of that law; `stream` tells the noise of tables apart. The seed's step knows nothing, the
/// spread as much as C, a field is E itself.
inline SyntheticRule following_rule(uint64_t stream) {
  return [stream](int64_t t, int64_t d) {
    const RandomStream of_t(stream, "test.seed", static_cast<uint64_t>(t));
    const RandomStream noise(stream, "test.noise", static_cast<uint64_t>(1000 * t + d));
    const double log_e =
        std::log(static_cast<double>(d)) + kFactor * normal_factor(t) + kNoiseE * noise.normal(0);
    return SyntheticRow{{"E", std::exp(log_e)},
                        {"C", std::exp(log_e + kNoiseC * noise.normal(1))},
                        {"spread_seed", std::exp(log_e + kNoiseC * noise.normal(2))},
                        {"seed_step", std::exp(of_t.normal(0))},
                        {"E_density", std::exp(log_e)}};
  };
}

/// E and C of that law, C being E itself.
inline SyntheticRule exact_rule(uint64_t stream) {
  return [rule = following_rule(stream)](int64_t t, int64_t d) {
    const double e = rule(t, d).at("E");
    return SyntheticRow{{"E", e}, {"C", e}};
  };
}

/// Calibrators of a table, of low degrees so that fitting takes no time.
inline CalibratorSet quick_calibrators(const CurveTable& table) {
  CalibrateOptions options;
  options.grid = {.lowest = {1, 0}, .highest = {2, 1}, .folds = 3};
  return calibrate(table, options).set("synthetic");
}

/// Measurements whose calibrators saw 80 other trajectories of the same rule.
inline Measurements synthetic_measurements(
    const std::function<SyntheticRule(uint64_t stream)>& rule, int64_t trajectories = 40,
    int64_t depths = 5) {
  Measurements measured;
  measured.system = "mhd";
  measured.calibrators = quick_calibrators(synthetic_table("calibration", 80, depths, rule(1)));
  measured.test = synthetic_table("test", trajectories, depths, rule(2));
  return measured;
}

/// The sections of a table with the paper's numbers, as a report has them.
inline std::vector<Section> beside_paper(std::vector<Section> (*evaluate)(const Measurements&),
                                         const Measurements& measured) {
  std::vector<Section> sections = evaluate(measured);
  add_paper_numbers(measured.system, sections);
  return sections;
}

/// The one table of this title among sections.
inline const TableSection& table_called(const std::vector<Section>& sections,
                                        const std::string& title) {
  for (const Section& section : sections) {
    const auto* table = std::get_if<TableSection>(&section);
    if (table != nullptr && table->title == title) return *table;
  }
  throw std::runtime_error("no table called " + title);
}

/// The cell in the row that begins with a word, under a column's heading.
inline const TableCell& cell_at(const TableSection& table, const std::string& row,
                                const std::string& column) {
  for (size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c] != column) continue;
    for (const auto& cells : table.rows) {
      if (cells.front().text == row) return cells[c];
    }
  }
  throw std::runtime_error(table.title + ": no cell " + row + ", " + column);
}

/// Our number there.
inline double ours_at(const TableSection& table, const std::string& row,
                      const std::string& column) {
  return cell_at(table, row, column).ours.value();
}

/// Pixels off by `error` times a normal law's quantiles under `sigma`, the truth being 1
/// everywhere.
inline PixelRow synthetic_pixels(const std::string& object, int64_t trajectory, double error,
                                 double sigma) {
  constexpr size_t kPixels = 1000;
  std::vector<float> predicted(kPixels), truth(kPixels, 1),
      sigmas(kPixels, static_cast<float>(sigma));
  for (size_t i = 0; i < kPixels; ++i) {
    const double quantile = normal_quantile((static_cast<double>(i) + 0.5) / kPixels);
    predicted[i] = static_cast<float>(1 + error * quantile);
  }
  return {.field = "vorticity",
          .object = object,
          .trajectory = trajectory,
          .depth = 10,
          .samples = 5,
          .fit = {.kappa = 1.5, .lambda = 0.25},
          .tally = tally_pixels(predicted, truth, sigmas)};
}

/// What a report says is wrong with sections; an Error.
inline void check_sections(const std::vector<Section>& sections) {
  Report report{.title = "test"};
  report.sections = sections;
  check(report, "test");
}

}  // namespace roundtrip
