#include "roundtrip/calibration/calibrate.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/calibration/calibrator_file.h"
#include "roundtrip/calibration/depth_coverage.h"
#include "roundtrip/calibration/error_ratio.h"
#include "roundtrip/calibration/verdict.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/metrics/scores.h"

namespace roundtrip {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kBandLevel = 0.95;

struct CalibrateChoices {
  std::string curves;
  std::string out;
  std::string fit_split = "calibration";
  std::string score_curves;
  std::string score_split;
  std::string fingerprint;
  std::string degree_rule = "paired";
  int64_t threads = available_threads();
  bool no_conformal = false;
  bool force = false;
  bool json = false;
};

/// One calibrator's line of the table.
struct ScoredRow {
  const CalibratedFit* fit = nullptr;
  std::optional<Scores> scores;  // none when nothing was held out
  ClusteredMean over_depth, over_baseline;
  std::string baseline;  // the best baseline's signal
  std::vector<DepthCoverage> gaussian;                // on held-out trajectories
  std::optional<std::vector<DepthCoverage>> printed;  // on a table that made no band, if there is
};

const CalibratedFit* depth_only(const std::vector<CalibratedFit>& fits, const std::string& target) {
  for (const CalibratedFit& fit : fits) {
    if (fit.calibrator.key == CalibratorKey{target, "depth", "alone"}) return &fit;
  }
  return nullptr;
}

std::vector<ScoredRow> score_fits(const std::vector<CalibratedFit>& fits,
                                  const std::optional<CurveTable>& elsewhere) {
  std::vector<ScoredRow> rows;
  for (const CalibratedFit& fit : fits) {
    ScoredRow row;
    row.fit = &fit;
    row.gaussian = gaussian_coverage(fit.held_out, kBandLevel);
    if (elsewhere && !fit.calibrator.conformal.groups.empty()) {
      row.printed = printed_coverage(fit.calibrator, elsewhere->curves, kBandLevel);
    }
    const std::string& target = fit.calibrator.key.target;
    const CalibratedFit* depth = depth_only(fits, target);
    const CalibratedFit* baseline = best_baseline(fits, target);
    if (fit.held_out.size() > 0) row.scores = score(fit.held_out.predictions());
    if (depth != nullptr) row.over_depth = gain(fit.held_out, depth->held_out);
    if (baseline != nullptr) {
      row.over_baseline = gain(fit.held_out, baseline->held_out);
      row.baseline = baseline->calibrator.key.signal;
    }
    rows.push_back(row);
  }
  return rows;
}

std::string degrees_of(const Calibrator& calibrator) {
  const auto* model = std::get_if<PolynomialGaussian>(&calibrator.model);
  if (model == nullptr) return "-";
  return fmt::format("({},{})", model->degrees.mean, model->degrees.log_sigma);
}

// "+0.52 +-0.04": what a row gains; nothing beside itself.
std::string gain_words(const ScoredRow& row, const ClusteredMean& gain) {
  if (!row.scores || (gain.mean == 0 && gain.standard_error == 0)) return "";
  return fmt::format("{:+.3f} +-{:.3f}", gain.mean, gain.standard_error);
}

// Where bands hold what they promise, and where not.
void print_coverage(const ScoredRow& row) {
  fmt::print("The Gaussian {:g} % band {}.\n", 100 * kBandLevel, coverage_words(row.gaussian));
  if (row.printed) {
    fmt::print("The printed one, conformal at each depth, {}.\n", coverage_words(*row.printed));
  } else if (row.fit->calibrator.conformal.at(row.gaussian.front().depth, kBandLevel)) {
    fmt::print(
        "The printed one is conformal at each depth, made of these held-out errors; --score-split "
        "counts it on others.\n");
  }
}

constexpr const char* kScoreLegend =
    "DEGREES: of the polynomials for mean and log sigma of log E. NLL: nats a row, lower is better. "
    "RMSE: of log E.\n"
    "X68, X95: factors; E is within them of its prediction in 68 and 95 % of rows. COV68, COV95: "
    "percent of rows within one and two sigma; 68.3 and 95.4 when calibrated.\n"
    "MA: miscalibration area, 0 is best. OVER ...: nats a row gained, +- one standard error over "
    "trajectories.\n";

void print_target(const std::string& target, const std::vector<ScoredRow>& rows) {
  std::vector<std::vector<std::string>> table = {{target + " FROM", "WITH", "DEGREES", "N", "NLL",
                                                  "RMSE", "X68", "X95", "COV68", "COV95", "MA",
                                                  "OVER DEPTH", "OVER BEST BASELINE"}};
  std::string baseline;
  for (const ScoredRow& row : rows) {
    const Calibrator& calibrator = row.fit->calibrator;
    if (calibrator.key.target != target) continue;
    baseline = row.baseline;
    table.push_back({calibrator.key.signal + (row.fit->baseline ? " (baseline)" : ""),
                     calibrator.key.features + (calibrator.causal() ? "" : " (post hoc)"),
                     degrees_of(calibrator)});
    if (!row.scores) continue;
    const GaussianScores& s = row.scores->gaussian;
    for (const double value : {s.nll, s.rmse, s.x68, s.x95}) {
      if (table.back().size() == 3) table.back().push_back(fmt::format("{}", s.n));
      // A fit of few rows may be off by any number of digits.
      table.back().push_back(std::abs(value) < 1e4 ? fmt::format("{:.3f}", value)
                                                   : fmt::format("{:.1e}", value));
    }
    table.back().push_back(fmt::format("{:.1f}", 100 * s.cov68));
    table.back().push_back(fmt::format("{:.1f}", 100 * s.cov95));
    table.back().push_back(fmt::format("{:.3f}", row.scores->calibration.ma));
    table.back().push_back(gain_words(row, row.over_depth));
    table.back().push_back(gain_words(row, row.over_baseline));
  }
  print_table(table);
  fmt::print("{}", kScoreLegend);
  if (!baseline.empty()) fmt::print("Best baseline: {}\n", baseline);
  for (const ScoredRow& row : rows) {
    if (row.fit->calibrator.key == CalibratorKey{target, "C", "depth"} && row.scores) {
      fmt::print("{}\n", verdict({.over_depth = row.over_depth,
                                  .over_baseline = row.over_baseline,
                                  .baseline = row.baseline}));
      print_coverage(row);
    }
  }
  fmt::print("\n");
}

Json failing_depths(const std::vector<DepthCoverage>& coverage) {
  Json out = Json::array();
  for (const DepthCoverage& at : coverage) {
    if (at.finding == DepthCoverage::Finding::holds) continue;
    out.push_back({{"depth", at.depth}, {"trajectories", at.trajectories}, {"inside", at.inside}});
  }
  return out;
}

Json to_row(const ScoredRow& row) {
  const Calibrator& calibrator = row.fit->calibrator;
  Json out = {{"target", calibrator.key.target},
              {"signal", calibrator.key.signal},
              {"features", calibrator.key.features},
              {"baseline", row.fit->baseline},
              {"causal", calibrator.causal()}};
  if (const auto* model = std::get_if<PolynomialGaussian>(&calibrator.model)) {
    out["degrees"] = {model->degrees.mean, model->degrees.log_sigma};
  }
  if (row.scores) {
    out["n"] = row.scores->gaussian.n;
    for (const ScoreColumn& column : score_columns()) {
      out[std::string(column.name)] = column.value(*row.scores);
    }
    out["over_depth"] = {{"gain", row.over_depth.mean},
                         {"standard_error", row.over_depth.standard_error}};
    out["over_baseline"] = {{"baseline", row.baseline},
                           {"gain", row.over_baseline.mean},
                           {"standard_error", row.over_baseline.standard_error}};
    out["gaussian_band_fails"] = failing_depths(row.gaussian);
    if (row.printed) out["printed_band_fails"] = failing_depths(*row.printed);
  }
  out["dropped"] = row.fit->held_out.dropped;
  out["notes"] = calibrator.fit.notes;
  return out;
}

// Held-out predictions of another table replace those of cross-validation.
void score_elsewhere(Calibration& calibration, const CurveTable& table) {
  for (CalibratedFit& fit : calibration.fits) {
    fit.held_out = predict_curves(fit.calibrator, table.curves);
  }
}

std::optional<CurveTable> score_table(const CalibrateChoices& choices, const CurveTable& curves) {
  if (choices.score_curves.empty() && choices.score_split.empty()) return std::nullopt;
  const std::string split = choices.score_split.empty() ? "test" : choices.score_split;
  const bool same_table = choices.score_curves.empty() ||
                          sha256_of_file(choices.score_curves) == sha256_of_file(choices.curves);
  if (same_table && split == choices.fit_split) {
    throw Error("calibrate", fmt::format("--score-split {}: that split fits the calibrators; "
                                         "expected another",
                                         split));
  }
  return choices.score_curves.empty() ? curves.split(split)
                                      : read_curves(choices.score_curves).split(split);
}

// What made the curves, as the record beside them says.
std::string fingerprint_of(const CalibrateChoices& choices) {
  if (!choices.fingerprint.empty()) return choices.fingerprint;
  const std::filesystem::path record = choices.curves + ".json";
  if (!std::filesystem::is_regular_file(record)) return "";
  const auto json = read_json(read_file(record));
  const auto at = Json::json_pointer("/data/fingerprint");
  return json.is_object() && json.contains(at) && json[at].is_string() ? json[at].get<std::string>()
                                                                       : "";
}

// Curves of training trajectories promise too much where the surrogate knows them by heart.
void add_ratio_note(Calibration& calibration, const CurveTable& curves, const std::string& fitted) {
  const std::string other = fitted == "train" ? "calibration" : fitted;
  const auto ratio = error_ratio(curves, "E", other, "train");
  if (!ratio) return;
  calibration.notes.push_back(
      fmt::format("E of {} is {:.2f} times that of train ({:.2f} at depth {}){}", other,
                  ratio->mean, ratio->deepest, ratio->depth,
                  fitted == "train" && ratio->mean > kLargeErrorRatio
                      ? ": calibrators fitted on train will be too sure; fit on another split"
                      : ""));
}

void add_table_notes(Calibration& calibration, const CurveTable& table) {
  calibration.notes.insert(calibration.notes.end(), table.notes.begin(), table.notes.end());
}

// A band for 95 percent of trajectories needs 19, an alarm as many in the half that is set aside for
// it: below that, both are guesses.
void add_size_note(Calibration& calibration, size_t trajectories) {
  constexpr size_t kFew = 40;
  if (trajectories >= kFew) return;
  calibration.notes.push_back(
      fmt::format("{} trajectories are few: bands, alarms and scores of fewer than {} say little; "
                  "generate more of `valid`, whose odd ones are the calibration split",
                  trajectories, kFew));
}

// Notes once each, with how many calibrators they are of.
std::vector<std::string> all_notes(const Calibration& calibration) {
  std::vector<std::string> lines = calibration.notes;
  std::vector<std::pair<std::string, std::vector<std::string>>> shared;
  for (const CalibratedFit& fit : calibration.fits) {
    for (const std::string& note : fit.calibrator.fit.notes) {
      auto found = std::find_if(shared.begin(), shared.end(),
                                [&](const auto& entry) { return entry.first == note; });
      if (found == shared.end()) found = shared.insert(shared.end(), {note, {}});
      found->second.push_back(fit.calibrator.key.text());
    }
  }
  for (const auto& [note, keys] : shared) {
    lines.push_back(keys.size() == 1
                        ? fmt::format("{}: {}", keys[0], note)
                        : fmt::format("{} and {} more: {}", keys[0], keys.size() - 1, note));
  }
  return lines;
}

void run(const CalibrateChoices& choices) {
  if (!choices.force && std::filesystem::exists(choices.out)) {
    throw Error("calibrate", fmt::format("{}: exists; --force replaces it", choices.out));
  }
  const CurveTable curves = read_curves(choices.curves);
  const CurveTable fitted = curves.split(choices.fit_split);
  const std::optional<CurveTable> elsewhere = score_table(choices, curves);
  CalibrateOptions options;
  options.grid.rule = parse_degree_rule(choices.degree_rule);
  options.conformal = !choices.no_conformal;
  options.threads = choices.threads;
  Calibration calibration = calibrate(fitted, options);
  add_table_notes(calibration, fitted);
  if (elsewhere && elsewhere->where != fitted.where) add_table_notes(calibration, *elsewhere);
  add_ratio_note(calibration, curves, choices.fit_split);
  add_size_note(calibration, fitted.curves.size());
  if (elsewhere) score_elsewhere(calibration, *elsewhere);
  const std::vector<ScoredRow> rows = score_fits(calibration.fits, elsewhere);
  const Provenance provenance = {
      .config = {},
      .seed = 0,
      .data = {{"curves", choices.curves},
               {"sha256", sha256_of_file(choices.curves)},
               {"fit_split", choices.fit_split},
               {"scored_on", elsewhere ? elsewhere->where + ", " + elsewhere->curves[0].split
                                       : "held-out trajectories of the same split"},
               {"degree_rule", choices.degree_rule},
               {"conformal", options.conformal}}};
  write_file(choices.out,
             calibrators_to_json(calibration.set(fingerprint_of(choices)), to_json(provenance)));

  const std::vector<std::string> notes = all_notes(calibration);
  if (choices.json) {
    Json out = Json::array();
    for (const ScoredRow& row : rows) out.push_back(to_row(row));
    Provenance with_notes = provenance;
    with_notes.data["notes"] = notes;
    return print_json(with_notes, out);
  }
  fmt::print("{} trajectories, {} rows; scored on {}\n\n", fitted.curves.size(), fitted.rows(),
             provenance.data["scored_on"].get<std::string>());
  for (const std::string& target : target_columns(fitted.columns)) print_target(target, rows);
  for (const std::string& note : notes) fmt::print("{}\n", note);
  fmt::print("{}: {} calibrators, {} alarms\n", choices.out, calibration.fits.size(),
             calibration.alarms.size());
}

}  // namespace

Action declare_calibrate(Options& options) {
  auto chosen = std::make_shared<CalibrateChoices>();
  options.add("--curves", chosen->curves,
              "CSV: split, trajectory, depth, errors (E, E_<field>, E_back), signals (C, ...)",
              Options::Need::required);
  options.add("--out", chosen->out, "the file of calibrators to write", Options::Need::required);
  options.add("--fit-split", chosen->fit_split, "the split that fits");
  options.add("--score-split", chosen->score_split,
              "score on this split; without it, on held-out trajectories of the one that fits");
  options.add("--score-curves", chosen->score_curves, "the table of --score-split, when another");
  options.add("--fingerprint", chosen->fingerprint,
              "of what made the curves; without it, from the record beside them");
  options.add("--degree-rule", chosen->degree_rule,
              "degrees are the simplest within one standard error of the best score: the error of "
              "the `paired` difference over trajectories, or `unpaired`, of the best score itself");
  options.add("--threads", chosen->threads,
              "calibrators fitted at a time; unless given, OMP_NUM_THREADS or all cores", 1, 4096);
  options.flag("--no-conformal", chosen->no_conformal,
               "no conformal bands, no alarms");
  options.flag("--force", chosen->force, "replace the file");
  options.flag("--json", chosen->json, "print one JSON object");
  options.footer(
      "docs/concepts/calibration.md says how calibrators are fitted, chosen and scored.");
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip
