// Records of a surrogate that never was: 40 trajectories whose errors grow with depth, a round trip
// that follows them, and fields of moving waves. For the browser test and for working on the page.
//
//   example_records DIR    writes DIR/records.json, DIR/report.html; the same in DIR/sparse, a
//   report
//                          with little in it; DIR/colours.json, the colour maps
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include <fmt/format.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/provenance.h"
#include "roundtrip/base/random.h"
#include "roundtrip/report/named_curves.h"
#include "roundtrip/report/report_page.h"
#include "roundtrip/metrics/quantile.h"

namespace roundtrip {
namespace {

constexpr uint64_t kSeed = 7;
constexpr int64_t kTrajectories = 40;
constexpr int64_t kDeepest = 28;
constexpr int64_t kSide = 64;

std::string label_of(int64_t trajectory) { return fmt::format("test {}", trajectory); }

// log E = a start, a growth rate and a factor of the trajectory; log C follows with noise of its
// own; the prediction knows the law between them.
TrajectoryCurve make_curve(int64_t trajectory) {
  const RandomStream noise(kSeed, "example.curve", static_cast<uint64_t>(trajectory));
  const double factor = 0.55 * noise.normal(0);
  TrajectoryCurve curve{.label = label_of(trajectory)};
  double walk = 0;
  for (int64_t depth = 1; depth <= kDeepest; ++depth) {
    const auto draw = static_cast<uint64_t>(4 * depth);
    walk += 0.07 * noise.normal(draw);
    const double growth = 1.15 * std::log(static_cast<double>(depth)) + 0.035 * depth;
    const double log_e = -6.2 + growth + factor + walk;
    const double log_c = -7.0 + 1.12 * (log_e + 6.2) + 0.22 * noise.normal(draw + 1);
    const double sigma = 0.19 + 0.001 * static_cast<double>(depth);
    curve.depth.push_back(depth);
    curve.e.push_back(std::exp(log_e));
    curve.c.push_back(std::exp(log_c));
    curve.log_mean.push_back(-6.2 + (log_c + 7.0) / 1.12);
    curve.log_sigma.push_back(sigma);
    curve.field_errors["density"].push_back(0.3 * std::exp(log_e));
    curve.field_errors["pressure"].push_back(0.7 * std::exp(log_e));
    PredictedBand& band = curve.field_bands["density"];
    band.log_mean.push_back(curve.log_mean.back() + std::log(0.3));
    band.log_sigma.push_back(sigma);
  }
  return curve;
}

CurvesSection make_curves() {
  CurvesSection section{.text =
                            "Each dot is one trajectory at one depth. What the round trip shows "
                            "without any truth follows what only the truth can tell."};
  for (int64_t i = 0; i < kTrajectories; ++i) section.trajectories.push_back(make_curve(i));
  return section;
}

/// All rows of the curves, side by side.
struct Rows {
  std::vector<double> log_e, mean, sigma, depth, c, e;
};

Rows rows_of(const CurvesSection& section) {
  Rows rows;
  for (const TrajectoryCurve& curve : section.trajectories) {
    for (size_t i = 0; i < curve.depth.size(); ++i) {
      rows.log_e.push_back(std::log(curve.e[i]));
      rows.e.push_back(curve.e[i]);
      rows.c.push_back(curve.c[i]);
      rows.mean.push_back(curve.log_mean[i]);
      rows.sigma.push_back(curve.log_sigma[i]);
      rows.depth.push_back(static_cast<double>(curve.depth[i]));
    }
  }
  return rows;
}

CalibrationSection make_calibration(const Rows& rows) {
  std::vector<double> narrow = rows.sigma;
  for (double& sigma : narrow) sigma *= 0.45;
  return {
      .text = "How often intervals of a nominal probability hold the true error.",
      .curves = {
          to_named_curve("C with depth", calibration_curve({rows.log_e, rows.mean, rows.sigma})),
          to_named_curve("overconfident", calibration_curve({rows.log_e, rows.mean, narrow}))}};
}

RiskCoverageSection make_risk(const Rows& rows) {
  return {.text = "Set aside what is predicted worst: how good is the rest?",
          .curves = {to_named_curve("C", risk_coverage(rows.c, rows.e)),
                     to_named_curve("depth alone", risk_coverage(rows.depth, rows.e)),
                     to_named_curve("oracle", risk_coverage(rows.e, rows.e))}};
}

HistogramSection make_histograms(const CurvesSection& curves) {
  HistogramSection section{.text =
                               "The round-trip error of calibration trajectories, and where the "
                               "trajectories of this report lie.",
                           .axis = "log C"};
  for (int64_t depth : {1, 2, 4, 8, 14, 20, 28}) {
    const auto column = static_cast<size_t>(depth - 1);
    const RandomStream noise(kSeed, "example.calibration", static_cast<uint64_t>(depth));
    const double centre =
        -7.0 + 1.12 * (1.15 * std::log(static_cast<double>(depth)) + 0.035 * depth);
    std::vector<double> values(400);
    for (size_t i = 0; i < values.size(); ++i) values[i] = centre + 0.6 * noise.normal(i);
    Histogram histogram = to_histogram(fmt::format("calibration, depth {}", depth), values);
    histogram.depth = depth;
    for (int64_t i = 0; i < 8; ++i) {
      const TrajectoryCurve& curve = curves.trajectories[static_cast<size_t>(i)];
      const double shift = i == 5 ? 2.2 : 0;  // one from elsewhere
      histogram.marks.push_back({curve.label, std::log(curve.c[column]) + shift});
    }
    histogram.marks.push_back({"alarm", quantile(values, 0.99)});
    section.histograms.push_back(std::move(histogram));
  }
  return section;
}

// Waves that drift; the rollout drifts a little faster and loses its fine structure.
std::vector<float> wave(int64_t field, int64_t trajectory, double time, double blur) {
  const RandomStream phases(kSeed, "example.field",
                            static_cast<uint64_t>(100 * trajectory + field));
  std::vector<float> values;
  for (int64_t x = 0; x < kSide; ++x) {
    for (int64_t y = 0; y < kSide; ++y) {
      double sum = 0;
      for (int mode = 1; mode <= 6; ++mode) {
        const auto draw = static_cast<uint64_t>(4 * mode);
        const double kx = std::round(phases.uniform(draw, -1, 1) * mode);
        const double ky = std::round(phases.uniform(draw + 1, -1, 1) * mode);
        const double angle =
            2 * std::numbers::pi *
            (kx * static_cast<double>(x) / kSide + ky * static_cast<double>(y) / kSide +
             phases.uniform(draw + 2) + time * phases.uniform(draw + 3, -1, 1));
        sum += std::sin(angle + 0.8 * std::sin(angle)) * std::exp(-blur * mode * mode) / mode;
      }
      values.push_back(static_cast<float>(field < 2 ? 1 + std::exp(0.5 * sum) : sum));
    }
  }
  return values;
}

FieldBytes picture(const std::vector<float>& values) {
  return to_field_bytes(values, kSide, kSide);
}

FieldSeries make_series(const std::string& name, int64_t field, int64_t trajectory) {
  FieldSeries series{.field = name,
                     .map = field < 2 ? ColourMap::sequential : ColourMap::diverging,
                     .seed = picture(wave(field, trajectory, 0, 0))};
  for (int64_t depth : {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 22, 25, 28}) {
    const double time = 0.025 * static_cast<double>(depth);
    const double off = 0.0012 * static_cast<double>(depth);
    const std::vector<float> truth = wave(field, trajectory, time, 0);
    const std::vector<float> rollout = wave(field, trajectory, 1.06 * time, off);
    std::vector<float> difference(truth.size());
    std::transform(rollout.begin(), rollout.end(), truth.begin(), difference.begin(),
                   std::minus<float>());
    series.frames.push_back({.depth = depth,
                             .truth = picture(truth),
                             .rollout = picture(rollout),
                             .difference = picture(difference),
                             .returned = picture(wave(field, trajectory, 0.03 * time, 1.5 * off))});
  }
  return series;
}

FieldsSection make_fields() {
  FieldsSection section{.text =
                            "Move the slider: the rollout leaves the truth, and the seed that "
                            "comes back tells."};
  const char* names[] = {"density",    "pressure",         "velocity x",
                         "velocity y", "magnetic field x", "magnetic field y"};
  for (const int64_t trajectory : {3, 5}) {
    TrajectoryFields fields{.label = label_of(trajectory)};
    for (int64_t field = 0; field < 6; ++field)
      fields.fields.push_back(make_series(names[field], field, trajectory));
    section.trajectories.push_back(std::move(fields));
  }
  return section;
}

TableSection make_scores() {
  TableSection section{
      .title = "Scores of calibrators",
      .text =
          "Held-out trajectories; brackets are 95 % bootstrap intervals over "
          "trajectories. Beneath: the paper's number.",
      .columns = {"calibrator", "NLL", "RMSE of log E", "x68", "x95", "coverage 68 %"},
      .notes = {"x68 and x95: the true error is within this factor that often."}};
  const auto row = [](const char* name, double nll, double rmse, double x68, double x95,
                      double coverage, bool paper) {
    std::vector<TableCell> cells = {{.text = name}};
    for (const double value : {nll, rmse, x68, x95, coverage}) {
      TableCell cell{
          .ours = value,
          .interval = CellInterval{value - 0.04 * std::abs(value), value + 0.05 * std::abs(value)}};
      if (paper) cell.paper = value * 1.03;
      cells.push_back(cell);
    }
    return cells;
  };
  section.rows = {row("depth alone", -0.021, 0.612, 1.84, 3.11, 0.66, true),
                  row("C", -0.503, 0.313, 1.36, 1.84, 0.69, true),
                  row("C with depth", -0.671, 0.271, 1.30, 1.71, 0.70, false)};
  return section;
}

TableSection make_trajectories(const CurvesSection& curves) {
  TableSection section{
      .title = "Trajectories",
      .columns = {"trajectory", "C at the deepest", "E at the deepest", "verdict"}};
  for (size_t i = 0; i < 6; ++i) {
    const TrajectoryCurve& curve = curves.trajectories[i];
    section.rows.push_back({{.text = curve.label},
                            {.ours = curve.c.back()},
                            {.ours = curve.e.back()},
                            {.text = curve.e.back() < 0.5 ? "trusted" : "not beyond depth 16"}});
  }
  return section;
}

Report make_report() {
  const CurvesSection curves = make_curves();
  const Rows rows = rows_of(curves);
  Report report{.title = "MHD, small: how far can these rollouts be trusted?",
                .summary = {"The round-trip error ranks the true error with no truth in sight.",
                            "The predicted band holds the true error about as often as it says.",
                            "One of the trajectories here is unlike anything in calibration."}};
  report.provenance = to_json(Provenance{
      .config =
          "[system]\nname = \"mhd\"\npreset = \"small\"\n\n[sampler]\nname = \"ddim\"\nsteps = 5\n",
      .seed = kSeed,
      .data = {{"source", "made up by tests/web/example_records.cpp"},
               {"trajectories", kTrajectories}}});
  report.sections = {curves,
                     make_fields(),
                     make_calibration(rows),
                     make_risk(rows),
                     make_histograms(curves),
                     make_scores(),
                     make_trajectories(curves)};
  return report;
}

// What records may also be: little of everything, and texts that try to be HTML.
Report make_sparse_report() {
  const std::string text = "</script><script>document.title='taken'</script><!-- \u2028 & \"q\"";
  const TrajectoryCurve zeros{.label = text, .depth = {3}, .c = {0}};
  const TrajectoryCurve unknown{.label = "no truth",
                                .depth = {1, 3},
                                .c = {0.1, 0.2},
                                .log_mean = {-2, -1},
                                .log_sigma = {0.1, 0.2}};
  const FieldBytes cell{.nx = 2, .ny = 1, .low = 0, .high = 0, .bytes = {0, FieldBytes::kMissing}};
  Report report{.title = text, .summary = {text}};
  report.provenance["note"] = text;
  report.sections = {
      CurvesSection{.trajectories = {zeros, unknown}},
      CurvesSection{},
      CalibrationSection{},
      RiskCoverageSection{.curves = {{.label = text, .x = {0.5, 1}, .y = {0, 0}}}},
      HistogramSection{.histograms = {{.label = "flat", .edges = {0, 1}, .counts = {0}}}},
      TableSection{.title = "Empty", .columns = {"nothing"}},
      FieldsSection{.trajectories = {
                        {.label = text,
                         .fields = {{.field = text, .frames = {{.depth = 3, .rollout = cell}}}}}}}};
  return report;
}

// The page computes its colour maps itself; a test compares them with these.
void write_colours(const std::filesystem::path& path) {
  nlohmann::ordered_json tables;
  for (const ColourMap map : {ColourMap::sequential, ColourMap::diverging}) {
    auto& table = tables[map == ColourMap::sequential ? "sequential" : "diverging"];
    for (const Rgb colour : colour_table(map))
      table.push_back({colour.red, colour.green, colour.blue});
  }
  write_file(path, json_text(tables));
}

}  // namespace
}  // namespace roundtrip

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: example_records DIR\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const roundtrip::WrittenReport written =
      roundtrip::write_report(folder, roundtrip::make_report());
  roundtrip::write_report(folder / "sparse", roundtrip::make_sparse_report());
  roundtrip::write_colours(folder / "colours.json");
  fmt::print("{}\n{}\n", written.records.string(), written.page.string());
}
