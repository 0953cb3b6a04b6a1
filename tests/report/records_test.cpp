#include "roundtrip/report/records.h"

#include <functional>
#include <limits>

#include <gmock/gmock.h>

#include "report/small_report.h"
#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Kind>
Kind& section(Report& report, size_t i) {
  return std::get<Kind>(report.sections[i]);
}
CurvesSection& curves(Report& report) { return section<CurvesSection>(report, 0); }
CalibrationSection& calibration(Report& report) { return section<CalibrationSection>(report, 1); }
RiskCoverageSection& risk(Report& report) { return section<RiskCoverageSection>(report, 2); }
HistogramSection& histograms(Report& report) { return section<HistogramSection>(report, 3); }
TableSection& table(Report& report) { return section<TableSection>(report, 4); }
FieldSeries& series(Report& report) {
  return section<FieldsSection>(report, 5).trajectories[0].fields[0];
}

TEST(Records, GoodOnesPass) {
  EXPECT_NO_THROW(check(small_report(), "f"));
  EXPECT_NO_THROW(check(Report{.title = "nothing but a title"}, "f"));
}

// One thing wrong at a time: the message says where and what.
TEST(Records, EveryContradictionIsNamed) {
  struct Row {
    const char* message;
    std::function<void(Report&)> damage;
  };
  const Row rows[] = {
      {"f: title: expected a text", [](Report& r) { r.title = ""; }},
      {"f: sections[0].title: expected a text", [](Report& r) { curves(r).title = ""; }},
      {"trajectories[1].label: expected a label of its own, found t 0",
       [](Report& r) { curves(r).trajectories[1].label = "t 0"; }},
      {"trajectories[1].depth: expected at least one depth",
       [](Report& r) { curves(r).trajectories[1].depth = {}; }},
      {"trajectories[0].depth[1]: expected depths that ascend, found 1",
       [](Report& r) {
         curves(r).trajectories[0].depth = {1, 1};
       }},
      {"trajectories[1].depth[0]: expected depths that ascend, found -2",
       [](Report& r) { curves(r).trajectories[1].depth = {-2}; }},
      {"trajectories[0].c: expected 2 values, found 1",
       [](Report& r) { curves(r).trajectories[0].c = {1}; }},
      {"trajectories[0].c[0]: expected a finite number, found inf",
       [](Report& r) { curves(r).trajectories[0].c[0] = kInfinity; }},
      {"trajectories[0].e[1]: expected an error, 0 or above, found -1",
       [](Report& r) { curves(r).trajectories[0].e[1] = -1; }},
      {"trajectories[0].e: expected 2 values or none, found 3",
       [](Report& r) { curves(r).trajectories[0].e.push_back(1); }},
      {"log_sigma: expected as many values as log_mean has, found 0",
       [](Report& r) { curves(r).trajectories[0].log_sigma = {}; }},
      {"log_sigma[1]: expected a deviation above 0, found 0",
       [](Report& r) { curves(r).trajectories[0].log_sigma[1] = 0; }},
      {"field_bands.p.log_sigma[1]: expected a deviation above 0, found 0",
       [](Report& r) { curves(r).trajectories[0].field_bands["p"].log_sigma[1] = 0; }},
      {"field_bands.p.log_mean: expected 2 values or none, found 1",
       [](Report& r) {
         curves(r).trajectories[0].field_bands["p"] = {{1}, {1}};
       }},
      {"field_bands.q: expected a field of field_errors, found none",
       [](Report& r) {
         curves(r).trajectories[0].field_bands["q"] = {{1, 1}, {1, 1}};
       }},
      {"field_errors.p: expected 2 values or none, found 1",
       [](Report& r) { curves(r).trajectories[0].field_errors["p"] = {1}; }},
      {"sections[1].curves[0].x: expected at least two points, found 1",
       [](Report& r) { calibration(r).curves[0].x = {1}; }},
      {"curves[0].x[1]: expected values that ascend, found 0.1",
       [](Report& r) {
         calibration(r).curves[0].x = {0.5, 0.1, 1};
       }},
      {"curves[0].x[2]: expected a proportion, 0 to 1, found 1.5",
       [](Report& r) { calibration(r).curves[0].x[2] = 1.5; }},
      {"curves[0].y[1]: expected a proportion, 0 to 1, found -0.5",
       [](Report& r) { calibration(r).curves[0].y[1] = -0.5; }},
      {"sections[2].curves[0].y: expected as many values as x has, found 1",
       [](Report& r) { risk(r).curves[0].y = {1}; }},
      {"edges: expected 3 edges, found 2",
       [](Report& r) { histograms(r).histograms[0].edges.pop_back(); }},
      {"edges[1]: expected edges that ascend, found -1",
       [](Report& r) { histograms(r).histograms[0].edges[1] = -1; }},
      {"counts[0]: expected a count, 0 or above, found -3",
       [](Report& r) { histograms(r).histograms[0].counts[0] = -3; }},
      {"marks[0].value: expected a finite number",
       [](Report& r) { histograms(r).histograms[0].marks[0].value = kInfinity; }},
      {"sections[4].rows[0]: expected 2 cells, found 1",
       [](Report& r) { table(r).rows[0].pop_back(); }},
      {"rows[0][1].interval: expected the lower end first, found 2",
       [](Report& r) { table(r).rows[0][1].interval->low = 2; }},
      {"rows[0][1].interval: expected a number of ours",
       [](Report& r) { table(r).rows[0][1].ours.reset(); }},
      {"rows[0][0].digits: expected 1 to 15 digits, found 0",
       [](Report& r) { table(r).rows[0][0].digits = 0; }},
      {"fields[0].seed.bytes: expected 6 bytes, found 5",
       [](Report& r) { series(r).seed->bytes.pop_back(); }},
      {"frames[0].truth: expected sides of at most 4096 cells",
       [](Report& r) { series(r).frames[0].truth->nx = int64_t{1} << 62; }},
      {"frames[0].rollout.low: expected at most high",
       [](Report& r) { series(r).frames[0].rollout->low = 2; }},
      {"frames[1].depth: expected depths that ascend, found 4",
       [](Report& r) { series(r).frames[1].depth = 4; }},
  };
  for (const Row& row : rows) {
    Report report = small_report();
    row.damage(report);
    try {
      check(report, "f");
      ADD_FAILURE() << "no error for: " << row.message;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(row.message));
    }
  }
}

}  // namespace
}  // namespace roundtrip
