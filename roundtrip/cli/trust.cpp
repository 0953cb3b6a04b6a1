// Rolls out from seed frames and says, with no truth at hand, how far the result can be trusted.
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/progress.h"
#include "roundtrip/calibration/calibrator_file.h"
#include "roundtrip/calibration/signal_table.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/model_options.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/cli/prediction_words.h"
#include "roundtrip/cli/shipped_models.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/rollout/frame_writer.h"
#include "roundtrip/trust/trust_meter.h"

namespace roundtrip {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct TrustOptions {
  ModelOptions model;
  std::string calibrators;
  std::string split = "test";
  int64_t first = 0;
  int64_t trajectories = 1;
  std::string check_depths;
  double tolerance = kNoLimit;
  double tolerance_c = kNoLimit;
  TrustRequest request;
  std::string out;
  bool force = false;
  bool any_calibrators = false;
  bool json = false;
};

// What was found of one trajectory.
struct Watched {
  std::vector<TrustStep> steps;  // the checked ones
  std::vector<torch::Tensor> frames;
};

nlohmann::ordered_json to_json(const TrustStep& step) {
  nlohmann::ordered_json errors = nlohmann::ordered_json::object();
  const auto bounds_of = [](const ErrorBounds& bounds) {
    return nlohmann::ordered_json{
        {"low", bounds.low}, {"high", bounds.high}, {"upper", bounds.upper}};
  };
  for (const PredictedError& error : step.errors) {
    nlohmann::ordered_json entry = {{"median", error.median}};
    entry.update(bounds_of(error.bounds()));
    entry["band"] = error.conformal ? "conformal" : "gaussian";
    entry["gaussian"] = bounds_of(error.gaussian);
    errors[error.target] = entry;
  }
  nlohmann::ordered_json json = {
      {"depth", step.depth}, {"signal", step.signal}, {"errors", errors}};
  if (step.alarm_score) json["alarm_score"] = *step.alarm_score;
  return json;
}

nlohmann::ordered_json to_rows(const TrustOptions& options, const std::vector<Watched>& watched,
                               const TrustMeter& meter) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (size_t i = 0; i < watched.size(); ++i) {
    const TrustSummary summary = meter.summary(i);
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const TrustStep& step : watched[i].steps) steps.push_back(to_json(step));
    rows.push_back({{"trajectory", options.first + static_cast<int64_t>(i)},
                    {"trusted_depth", summary.trusted.first_crossing},
                    {"trusted_depth_literal", summary.trusted.literal}});
    add_alarm(rows.back(), summary.alarm);
    rows.back()["cost"] = meter.cost();
    rows.back()["steps"] = steps;
  }
  return rows;
}

std::string alarm_words(const std::optional<AlarmState>& alarm) {
  if (!alarm) return "none; the calibrators have no threshold for this signal and level";
  if (std::isinf(alarm->threshold)) {
    return "none; too few trajectories made its threshold for this level";
  }
  return fmt::format("{} (score {:.2f}, threshold {:.2f})",
                     alarm->raised ? "YES, unlike the calibration rollouts" : "no",
                     alarm->statistic, alarm->threshold);
}

void print_trajectory(const TrustOptions& options, size_t i, const Watched& watched,
                      const TrustMeter& meter) {
  const TrustSummary summary = meter.summary(i);
  fmt::print("Trajectory {}\n", options.first + static_cast<int64_t>(i));
  std::vector<std::vector<std::string>> table = {
      {"DEPTH", options.request.signal, "PREDICTED E",
       fmt::format("{:g} % BAND", 100 * options.request.level), "BELOW", "GAUSSIAN BAND", "BELOW",
       "ALARM SCORE"}};
  bool conformal = true;
  for (const TrustStep& step : watched.steps) {
    const PredictedError& error = step.errors.front();
    conformal = conformal && error.conformal;
    table.push_back({fmt::format("{}", step.depth), fmt::format("{:.4g}", step.signal),
                     fmt::format("{:.4g}", error.median),
                     error.conformal ? band_words(*error.conformal) : "-",
                     error.conformal ? fmt::format("{:.3g}", error.conformal->upper) : "-",
                     band_words(error.gaussian), fmt::format("{:.3g}", error.gaussian.upper),
                     step.alarm_score ? fmt::format("{:.2f}", *step.alarm_score) : "-"});
  }
  print_table(table);
  if (!conformal) {
    fmt::print(
        "Too few calibration trajectories for a band of this level at some depth: the "
        "Gaussian one stands in for it.\n");
  }
  if (options.request.tolerance || options.request.tolerance_c) {
    fmt::print("Trusted to depth {} of {}.", summary.trusted.first_crossing, options.request.depth);
  } else {
    fmt::print("No tolerance given (--tolerance bounds the upper E, --tolerance-c bounds C).");
  }
  fmt::print(" Alarm: {}.\n\n", alarm_words(summary.alarm));
}

// A signal that knows no more than a baseline should not look as if it did.
void print_baseline_note(const TrustOptions& options, const CalibratorSet& calibrators) {
  const Calibrator& used =
      calibrators.find({"E", options.request.signal, options.request.features});
  const Calibrator* best = nullptr;
  for (const Calibrator& other : calibrators.calibrators) {
    // The depth and the seed frames; a constant says nothing of a rollout.
    const bool baseline = other.key.target == "E" && other.key.signal != "none" &&
                          is_baseline(other.key.signal);
    if (!baseline || !other.fit.nll) continue;
    if (best == nullptr || *other.fit.nll < *best->fit.nll) best = &other;
  }
  if (best == nullptr || !used.fit.nll || *best->fit.nll > *used.fit.nll) return;
  fmt::print(
      "Note: on the calibration rollouts {}, which looks at no rollout, predicts the error as well "
      "as {} does (NLL {:.2f}, {:.2f}).\n",
      best->key.signal, options.request.signal, *best->fit.nll, *used.fit.nll);
}

std::vector<MeasuredTrajectory> seeds_for(const TrustOptions& options, const OpenedModel& opened) {
  const Split split = parse_split(options.split);
  require_split(*opened.dataset, split);
  const int64_t there = opened.dataset->trajectories(split);
  if (options.first + options.trajectories > there) {
    throw Error("trust",
                fmt::format("expected trajectories below {}, found {}; the split {} has "
                            "no more",
                            there, options.first + options.trajectories - 1, options.split));
  }
  const int64_t count = opened.surrogate.stepper->contexts();
  std::vector<MeasuredTrajectory> all;
  for (int64_t i = 0; i < options.trajectories; ++i) {
    if (opened.dataset->frames(split, options.first + i) < count) {
      throw Error("trust", fmt::format("{}: expected at least {} frames to start from, found {}",
                                       opened.dataset->trajectory_name(split, options.first + i),
                                       count, opened.dataset->frames(split, options.first + i)));
    }
    const torch::Tensor fields = opened.dataset->read(split, options.first + i, 0, count);
    all.push_back({.latents = opened.surrogate.codec->encode(fields),
                   .fields = fields,
                   .initial_frames = count,
                   .first_index = 0});
  }
  return all;
}

// Frames of rollouts that were stopped are filled up with NaN: nothing was predicted there.
torch::Tensor filled(const std::vector<torch::Tensor>& frames, int64_t depth) {
  std::vector<torch::Tensor> all = frames;
  while (static_cast<int64_t>(all.size()) < depth) {
    all.push_back(torch::full_like(frames.front(), std::nan("")));
  }
  return torch::stack(all);
}

TrustOptions resolved(TrustOptions options) {
  if (!options.check_depths.empty()) {
    options.request.check_depths = parse_depths(options.check_depths);
  }
  if (options.tolerance < kNoLimit) options.request.tolerance = options.tolerance;
  if (options.tolerance_c < kNoLimit) options.request.tolerance_c = options.tolerance_c;
  return options;
}

std::string config_of(const TrustOptions& options) {
  return fmt::format("depth = {}\nsignal = \"{}\"\nfeatures = \"{}\"\nlevel = {}\n",
                     options.request.depth, options.request.signal, options.request.features,
                     options.request.level);
}

std::vector<Watched> watch(TrustMeter& meter, const TrustOptions& options) {
  std::vector<Watched> watched(static_cast<size_t>(options.trajectories));
  Progress bar("watching", "frames", options.request.depth, progress_on_stderr());
  while (!meter.done()) {
    const auto& steps = meter.next();
    for (size_t i = 0; i < steps.size(); ++i) {
      if (static_cast<int64_t>(watched[i].frames.size()) == steps[i].depth) continue;  // stopped
      watched[i].frames.push_back(steps[i].frame);
      if (steps[i].checked) watched[i].steps.push_back(steps[i]);
    }
    bar.advance();
    if (interrupt_signal() != 0) throw Interrupted(interrupt_signal(), "nothing was written");
  }
  return watched;
}

std::filesystem::path calibrators_of(const TrustOptions& options) {
  if (!options.calibrators.empty()) return options.calibrators;
  const std::filesystem::path file =
      std::filesystem::path(model_path(options.model.surrogate.model)) / "calibrators.json";
  if (std::filesystem::exists(file)) return file;
  throw Error("trust", fmt::format("{}: expected calibrators, found none; measure with `roundtrip "
                                   "cycle --split calibration`, then `roundtrip calibrate`",
                                   file.string()));
}

void run(const TrustOptions& chosen) {
  const TrustOptions options = resolved(chosen);
  const std::filesystem::path folder = options.out;
  if (std::filesystem::exists(folder / "trust.json") && !options.force) {
    throw Error("trust", fmt::format("{}: expected no result there, found one; --force replaces it",
                                     (folder / "trust.json").string()));
  }
  use_all_threads();
  catch_interrupts();
  const OpenedModel opened = open_model(options.model);
  const CalibratorSet calibrators = read_calibrators(calibrators_of(options));
  const auto seeds = seeds_for(options, opened);
  Provenance provenance = provenance_of(opened, config_of(options));
  const std::string note = version_note(calibrators);
  if (!note.empty()) provenance.data["note"] = note;
  TrustMeter meter(opened.surrogate, calibrators, options.request, seeds, options.any_calibrators);
  // Opened before the work: a place that cannot be written to is noticed here.
  FrameWriter writer({.out = folder / "frames.hdf5",
                      .split = parse_split(options.split),
                      .first = options.first,
                      .trajectories = options.trajectories,
                      .initial_frames = seeds.front().initial_frames,
                      .depth = options.request.depth,
                      .direction = +1,
                      .provenance = json_text(to_json(provenance)),
                      .force = options.force},
                     opened.surrogate, *opened.dataset, opened.config);
  const std::vector<Watched> watched = watch(meter, options);
  for (size_t i = 0; i < watched.size(); ++i) {
    writer.write(static_cast<int64_t>(i), filled(watched[i].frames, options.request.depth));
  }
  writer.finish();
  const auto rows = to_rows(options, watched, meter);
  const nlohmann::ordered_json whole = {{"context", to_json(provenance)}, {"rows", rows}};
  write_file(folder / "trust.json", json_text(whole, 1) + "\n");
  if (options.json) return print_json(provenance, rows);
  for (size_t i = 0; i < watched.size(); ++i) print_trajectory(options, i, watched[i], meter);
  print_baseline_note(options, calibrators);
  if (!note.empty()) fmt::print("Note: {}\n", note);
  fmt::print("Cost: {:.1f} plain rollouts. Frames: {}; numbers: {}.\n", meter.cost(),
             (folder / "frames.hdf5").string(), (folder / "trust.json").string());
}

}  // namespace

Action declare_trust(Options& options) {
  auto chosen = std::make_shared<TrustOptions>();
  declare(chosen->model, options);
  options.add("--calibrators", chosen->calibrators, "calibrators.json; unless given, the bundle's");
  options.add("--out", chosen->out, "folder for trust.json and frames.hdf5",
              Options::Need::required);
  options.add("--split", chosen->split,
              "where the seeds are: train, selection, calibration, test or other");
  options.add("--first", chosen->first, "first trajectory", 0, 1'000'000'000);
  options.add("--trajectories", chosen->trajectories, "how many, watched together", 1, 1'000'000);
  options.add("--depth", chosen->request.depth, "frames to predict", 1, 1'000'000);
  options.add(
      "--check-depths", chosen->check_depths,
      "where the way back is taken (1,2,4 or 1-28); unless given, 1, 2, 4, ... and the last");
  options.add("--tolerance", chosen->tolerance,
              "trust while the upper end of E, at the level and at each depth, stays below this", 0,
              kNoLimit);
  options.add("--tolerance-c", chosen->tolerance_c, "trust while C stays below this (the paper's)",
              0, kNoLimit);
  options.add("--level", chosen->request.level, "of bands, bounds and alarm: 0.9 or 0.95", 0.5,
              0.999);
  options.add("--signal", chosen->request.signal, "the column that predicts the error");
  options.add("--features", chosen->request.features, "how it is used, as `calibrate` names it");
  options.flag("--stop", chosen->request.stop, "end a rollout where it can no longer be trusted");
  options.flag("--force", chosen->force, "replace a result");
  options.flag("--any-calibrators", chosen->any_calibrators,
               "take calibrators that were fitted for another model or sampling");
  options.add_threads();
  options.flag("--json", chosen->json, "print one JSON object");
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip
