// Rolls trajectories out and back and writes what the signals say: curves.csv.
#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/progress.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/model_options.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/distributed/process_group.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/trust/curve_file.h"

namespace roundtrip {
namespace {

struct CycleOptions {
  ModelOptions model;
  std::string splits = "test";
  std::string depths = "1,2,4,8,16";
  std::string signals = "round_trip,error";
  std::string out;
  int64_t seeds = 0;
  int64_t trajectories = 0;
  int64_t samples = 5;
  int64_t batch = 64;
  bool one_by_one = false;
  int64_t group = 32;
  double timeout = 1800;
  bool force = false;
  bool json = false;
};

CurveRequest request_of(const CycleOptions& options) {
  CurveRequest request;
  request.out = options.out;
  for (const std::string& name : split_list(options.splits)) {
    request.splits.push_back(parse_split(name));
  }
  // The table is sorted by the names of splits.
  std::sort(request.splits.begin(), request.splits.end(),
            [](Split a, Split b) { return split_name(a) < split_name(b); });
  request.splits.erase(std::unique(request.splits.begin(), request.splits.end()),
                       request.splits.end());
  request.initial_frames = options.seeds;
  request.trajectories = options.trajectories;
  request.group = options.group;
  request.measure = {.depths = parse_depths(options.depths),
                     .signals = expand_signals(split_list(options.signals)),
                     .samples = options.samples,
                     .batch = options.batch,
                     .one_by_one = options.one_by_one};
  request.patience = std::chrono::seconds(static_cast<int64_t>(options.timeout));
  request.force = options.force;
  return request;
}

// Everything the numbers depend on, besides model and data.
std::string config_of(const CycleOptions& options) {
  return fmt::format(
      "splits = \"{}\"\ndepths = \"{}\"\nsignals = \"{}\"\nseeds = {}\ntrajectories = {}\n"
      "samples = {}\nbatch = {}\none_by_one = {}\ngroup = {}\n",
      options.splits, options.depths, fmt::join(expand_signals(split_list(options.signals)), ","),
      options.seeds, options.trajectories, options.samples, options.batch, options.one_by_one,
      options.group);
}

// Calibrators are fitted to calibration trajectories: what is measured of others scores them.
std::string next_step(const CurveRequest& request) {
  const auto& splits = request.splits;
  if (std::find(splits.begin(), splits.end(), Split::calibration) == splits.end()) return "";
  return fmt::format("; `roundtrip calibrate --curves {} --out calibrators.json` learns from it",
                     request.out.string());
}

void run(const CycleOptions& options) {
  const CurveRequest request = request_of(options);
  if (request.measure.signals.empty()) {
    throw Error("signal", "--signals: expected at least one, found none; --help lists them");
  }
  if (request.splits.empty()) {
    throw Error("split",
                "--split: expected at least one, found none; train, selection, calibration, test "
                "and other are there");
  }
  find_signals(request.measure.signals);  // a misspelt one is told before anything is read
  use_all_threads();
  const auto ranks = make_process_group(read_launch_environment(), options.timeout);
  catch_interrupts();
  const OpenedModel opened = open_model(options.model);
  Provenance provenance = provenance_of(opened, config_of(options));
  provenance.data["fingerprint"] =
      fingerprint_from(opened.surrogate, initial_frames_of(opened.surrogate, options.seeds));
  const auto start = std::chrono::steady_clock::now();
  LateProgress bar("measuring", "steps");
  int64_t steps = 0;
  write_curves(request, opened.surrogate, *opened.dataset, to_json(provenance), *ranks,
               [&](int64_t done, int64_t total) {
                 steps = total;
                 if (ranks->rank() == 0) bar.advance_to(done, total);
               });
  bar.end();
  if (ranks->rank() != 0) return;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (options.json) {
    return print_json(provenance,
                      nlohmann::ordered_json::array({{{"curves", options.out}, {"steps", steps}}}));
  }
  fmt::print("{} steps in {}. The table is {}{}.\n", steps - bar.begun_at(),
             human_duration(taken.count()), options.out, next_step(request));
}

std::string signal_help() {
  std::string text = "Signals:\n";
  for (const SignalEntry& entry : signals()) {
    text += fmt::format("  {:<17} {}\n", entry.name, entry.summary);
  }
  text += "Groups of them:\n";
  for (const SignalGroup& group : signal_groups()) {
    text += fmt::format("  {:<17} {}\n", group.name, group.summary);
  }
  return text;
}

}  // namespace

Action declare_cycle(Options& options) {
  auto chosen = std::make_shared<CycleOptions>();
  declare(chosen->model, options);
  options.add("--out", chosen->out, "the table, curves.csv", Options::Need::required);
  options.add("--split", chosen->splits, "train, selection, calibration, test, other, or several");
  options.add("--depths", chosen->depths, "depths recorded: 1,2,4 or 1-28");
  options.add("--signals", chosen->signals, "signals or groups of them, by the names below");
  options.add("--seeds", chosen->seeds, "known frames; 0 = as many as the model sees", 0, 1000);
  options.add("--trajectories", chosen->trajectories, "the first so many of a split; 0 = all", 0,
              1'000'000'000);
  options.add("--samples", chosen->samples, "rollouts of spread_* and averaged", 2, 1000);
  options.add("--batch", chosen->batch, "rows stepped at a time; bounds memory", 1, 1'000'000);
  options.add("--group", chosen->group, "trajectories measured together; a kill costs one group", 1,
              1'000'000);
  options.add("--timeout", chosen->timeout, "seconds to wait for another rank", 1, 1e6);
  options.flag("--one-by-one", chosen->one_by_one,
               "one row in every call of the model: numbers do not depend on --batch at all");
  options.flag("--force", chosen->force, "replace a table, or parts made with other settings");
  options.add_threads();
  options.flag("--json", chosen->json, "print one JSON object");
  options.footer(signal_help());
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip
