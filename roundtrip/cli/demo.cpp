// The whole idea on one page: a shipped model predicts trajectories it has never seen, comes back,
// says how wrong it was, and is compared with the solver.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/calibration/calibrator_file.h"
#include "roundtrip/calibration/predicted_error.h"
#include "roundtrip/calibration/trusted_depth.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/measurement_bars.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/cli/prediction_words.h"
#include "roundtrip/cli/shipped_models.h"
#include "roundtrip/measurement/field_records.h"
#include "roundtrip/measurement/measure_parts.h"
#include "roundtrip/measurement/reproduction.h"
#include "roundtrip/measurement/training_source.h"
#include "roundtrip/models/bundle.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/report/report_page.h"
#include "roundtrip/evaluation/scatter.h"

namespace roundtrip {
namespace {

constexpr double kLevel = 0.95;
const CalibratorKey kKey = {"E", "C", "depth"};

struct DemoOptions {
  std::string model;
  std::string out = "demo";
  uint64_t seed = 777;  // kept for this: nothing is trained, chosen or scored with it
  int64_t trajectories = 8;
  double tolerance = 0.5;
  bool force = false;
  bool json = false;
};

/// One rollout beside what was predicted of it.
struct EvaluatedRollout {
  std::string label;
  const Curve* curve = nullptr;
  std::vector<PredictedError> predicted;  // one per depth
  int64_t trusted = 0;                    // predicted: the upper end stays below the tolerance
  int64_t truly = 0;                      // E itself does
  int64_t inside = 0;                     // depths whose E lies in the band
  int64_t gaussian_inside = 0;            // in the Gaussian one
  std::optional<AlarmState> alarm;        // none when the calibrators have none
};

bool is_inside(const ErrorBounds& bounds, double e) { return bounds.low <= e && e <= bounds.high; }

EvaluatedRollout evaluate_rollout(const std::string& label, const Curve& curve,
                                  const CalibratorSet& calibrators, double tolerance) {
  EvaluatedRollout rollout;
  rollout.label = label;
  rollout.curve = &curve;
  const Calibrator& calibrator = calibrators.find(kKey);
  const std::vector<double>& truth = curve.column("E");
  std::vector<double> upper;
  for (size_t at = 0; at < curve.size(); ++at) {
    const PredictedError error = predict_error(calibrator, curve, at, kLevel);
    rollout.inside += is_inside(error.bounds(), truth[at]);
    rollout.gaussian_inside += is_inside(error.gaussian, truth[at]);
    upper.push_back(error.bounds().upper);
    rollout.predicted.push_back(error);
  }
  rollout.trusted = trusted_depth(curve.depths, upper, tolerance).first_crossing;
  rollout.truly = trusted_depth(curve.depths, truth, tolerance).first_crossing;
  rollout.alarm = alarm_state(calibrators, "C", curve, kLevel);
  return rollout;
}

std::vector<EvaluatedRollout> evaluate_all(const Measurements& measured, double tolerance) {
  std::vector<EvaluatedRollout> all;
  for (const Curve& curve : measured.test.curves) {
    const std::string label = fmt::format("test {}", curve.trajectory);
    all.push_back(evaluate_rollout(label, curve, measured.calibrators, tolerance));
  }
  for (const auto& [name, table] : measured.scenarios) {
    for (const Curve& curve : table.curves) {
      all.push_back(evaluate_rollout(name, curve, measured.calibrators, tolerance));
    }
  }
  return all;
}

void print_rollout(const EvaluatedRollout& rollout) {
  std::vector<std::vector<std::string>> table = {
      {"DEPTH", "C", "PREDICTED E", "95 % BAND", "TRUE E", ""}};
  for (size_t i = 0; i < rollout.predicted.size(); ++i) {
    const PredictedError& error = rollout.predicted[i];
    const double truth = rollout.curve->column("E")[i];
    table.push_back(
        {fmt::format("{}", rollout.curve->depths[i]),
         fmt::format("{:.3g}", rollout.curve->column("C")[i]), fmt::format("{:.3g}", error.median),
         band_words(error.bounds()), fmt::format("{:.3g}", truth),
         is_inside(error.bounds(), truth) ? "inside" : "outside"});
  }
  fmt::print("{}\n", rollout.label);
  print_table(table);
  fmt::print("\n");
}

std::string alarm_cell(const std::optional<AlarmState>& alarm) {
  if (!alarm) return "-";
  return fmt::format("{} ({:.1f}, threshold {:.1f})", alarm->raised ? "yes" : "no",
                     alarm->statistic, alarm->threshold);
}

void print_all(const std::vector<EvaluatedRollout>& all, double tolerance) {
  std::vector<std::vector<std::string>> table = {
      {"ROLLOUT", fmt::format("E BELOW {:g} TO DEPTH: PREDICTED", tolerance), "TRUE",
       "DEPTHS IN BAND", "ALARM"}};
  for (const EvaluatedRollout& rollout : all) {
    table.push_back({rollout.label, fmt::format("{}", rollout.trusted),
                     fmt::format("{}", rollout.truly),
                     fmt::format("{} of {}", rollout.inside, rollout.predicted.size()),
                     alarm_cell(rollout.alarm)});
  }
  print_table(table);
  fmt::print("\n");
}

// The same model with the other direction, from the last frames.
void print_inverse(const Measurements& measured) {
  std::vector<std::vector<std::string>> table = {{"STEPS BACK", "MEAN ERROR", "MEAN C FROM THERE"}};
  const auto& curves = measured.test.curves;
  for (const int64_t depth : {1, 4, 8, 16, 32}) {
    double error = 0, cycle = 0;
    int64_t count = 0;
    for (const Curve& curve : curves) {
      const auto at = std::find(curve.depths.begin(), curve.depths.end(), depth);
      if (at == curve.depths.end()) continue;
      const auto place = static_cast<size_t>(at - curve.depths.begin());
      error += curve.column("E_back")[place];
      cycle += curve.column("C_back")[place];
      ++count;
    }
    if (count == 0) continue;
    table.push_back({fmt::format("{}", depth),
                     fmt::format("{:.3g}", error / static_cast<double>(count)),
                     fmt::format("{:.3g}", cycle / static_cast<double>(count))});
  }
  fmt::print("Backward in time from the last two frames (the inverse problem)\n");
  print_table(table);
  fmt::print("\n");
}

nlohmann::ordered_json to_rows(const std::vector<EvaluatedRollout>& all) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const EvaluatedRollout& rollout : all) {
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (size_t i = 0; i < rollout.predicted.size(); ++i) {
      steps.push_back({{"depth", rollout.curve->depths[i]},
                       {"c", rollout.curve->column("C")[i]},
                       {"median", rollout.predicted[i].median},
                       {"low", rollout.predicted[i].bounds().low},
                       {"high", rollout.predicted[i].bounds().high},
                       {"e", rollout.curve->column("E")[i]}});
    }
    rows.push_back({{"rollout", rollout.label},
                    {"trusted_depth", rollout.trusted},
                    {"true_depth", rollout.truly},
                    {"inside", rollout.inside}});
    add_alarm(rows.back(), rollout.alarm);
    rows.back()["steps"] = steps;
  }
  return rows;
}

// Two test trajectories and the vortex forward, the first also backward.
FieldsSection shown_fields(const PartsRequest& request, const MeasuringProgress& progress) {
  FieldsSection section;
  section.text =
      "Decoded fields: the solver, the rollout, their difference, and the first frame as it comes "
      "back from that depth.";
  const std::vector<int64_t> depths = {1, 4, 8, 16, 24, 32, 48};
  for (const MeasuredPart& part : request.parts) {
    const auto dataset = solve_part(request, part, progress);
    const Surrogate surrogate =
        open_surrogate({.model = request.model}, data_config_of(request.model), *dataset);
    const int64_t shown = std::min<int64_t>(2, part.trajectories);
    for (int64_t i = 0; i < shown; ++i) {
      const bool test = part.name == "test";
      FieldRequest fields{.split = Split::test, .trajectory = i, .depths = depths};
      fields.label = test ? fmt::format("test {}", i) : part.name.substr(sizeof("ood-") - 1);
      section.trajectories.push_back(record_fields(fields, surrogate, *dataset));
      if (!test || i > 0) continue;
      fields.direction = -1;
      fields.label += ", backward";
      section.trajectories.push_back(record_fields(fields, surrogate, *dataset));
    }
  }
  return section;
}

std::vector<std::string> findings(const std::vector<EvaluatedRollout>& all,
                                  const DemoOptions& options) {
  int64_t inside = 0, gaussian = 0, depths = 0, alarms = 0, usual = 0;
  for (const EvaluatedRollout& rollout : all) {
    if (!rollout.label.starts_with("test")) continue;
    inside += rollout.inside;
    gaussian += rollout.gaussian_inside;
    depths += static_cast<int64_t>(rollout.predicted.size());
    alarms += rollout.alarm && rollout.alarm->raised;
    ++usual;
  }
  std::vector<std::string> lines = {
      fmt::format("{} fresh trajectories (seed {}): the true error lies inside the predicted 95 "
                  "percent band at {} of {} depths (the Gaussian band: {}).",
                  usual, options.seed, inside, depths, gaussian),
      fmt::format("{} of these {} rollouts raise the alarm, which one in twenty of the usual kind "
                  "may.",
                  alarms, usual)};
  for (const EvaluatedRollout& rollout : all) {
    if (rollout.label.starts_with("test")) continue;
    if (!rollout.alarm) continue;
    lines.push_back(fmt::format("The {} {} the alarm ({:.1f}, threshold {:.1f}).", rollout.label,
                                rollout.alarm->raised ? "raises" : "does not raise",
                                rollout.alarm->statistic, rollout.alarm->threshold));
  }
  return lines;
}

void run(const DemoOptions& options) {
  const std::filesystem::path folder = options.out;
  if (!options.force && std::filesystem::exists(folder / kPageName)) {
    throw Error("demo", fmt::format("{}: exists already; --force replaces it",
                                    (folder / kPageName).string()));
  }
  catch_interrupts();
  use_all_threads();
  const std::string model =
      options.model.empty() ? shipped_model("mhd-small") : model_path(options.model);
  const TrainingSource source = training_source(model);
  PartsRequest request;
  request.folder = folder;
  request.model = model;
  request.system = source.system;
  request.parts = test_parts(source, options.seed, options.trajectories, {"orszag_tang"});
  request.measure = {.depths = default_depths(
                         model, source.frames - read_bundle_metadata(model).denoiser.contexts),
                     .signals = {"round_trip", "error", "mirror", "fields"}};
  request.threads = available_threads();
  request.force = options.force;
  FieldsSection fields;
  {
    MeasurementBars bars;
    measure_parts(request, bars.progress());
    request.force = false;  // the trajectories are there now
    fields = shown_fields(request, bars.progress());
  }
  std::vector<std::string> tables;
  for (const MeasuredPart& part : request.parts) tables.push_back(part.name);
  Measurements measured = read_measurements(
      folder, tables, read_calibrators(std::filesystem::path(model) / "calibrators.json"));
  measured.system = source.system;
  const std::vector<EvaluatedRollout> all = evaluate_all(measured, options.tolerance);
  Report report;
  report.title = "Roundtrip: a model that predicts its own error";
  report.summary = findings(all, options);
  const std::string note = version_note(measured.calibrators);
  if (!note.empty()) report.summary.push_back(note);
  Provenance provenance{.config = fmt::format("trajectories = {}\ntolerance = {}\n",
                                              options.trajectories, options.tolerance),
                        .seed = options.seed,
                        .data = {{"model", model}}};
  report.provenance = to_json(provenance);
  report.sections = evaluate_scatter(measured);
  report.sections.push_back(fields);
  const WrittenReport written = write_report(folder, report);
  if (options.json) return print_json(provenance, to_rows(all));
  print_rollout(all.front());
  if (all.size() > 1) print_rollout(all.back());
  print_all(all, options.tolerance);
  print_inverse(measured);
  for (const std::string& line : report.summary) fmt::print("{}\n", line);
  fmt::print("Page: {}\n", !written.page.empty() ? std::filesystem::absolute(written.page).string()
                                                 : missing_page_message());
}

}  // namespace

Action declare_demo(Options& options) {
  auto chosen = std::make_shared<DemoOptions>();
  options.add("--model", chosen->model, "an MHD bundle with calibrators; unless given, mhd-small");
  options.add("--out", chosen->out, "folder for the page, the tables and the trajectories");
  options.add("--seed", chosen->seed, "of the fresh trajectories");
  options.add("--trajectories", chosen->trajectories, "how many", 1, 1000);
  options.add("--tolerance", chosen->tolerance, "the error up to which a rollout is of use", 0,
              1e9);
  options.flag("--force", chosen->force, "solve, measure and write again what is there");
  options.add_threads();
  options.flag("--json", chosen->json, "print one JSON object");
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip
