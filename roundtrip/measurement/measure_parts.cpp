#include "roundtrip/measurement/measure_parts.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/provenance.h"
#include "roundtrip/base/recorded_table.h"
#include "roundtrip/distributed/process_group.h"
#include "roundtrip/measurement/scenarios.h"
#include "roundtrip/systems/generate.h"
#include "roundtrip/systems/systems.h"
#include "roundtrip/trust/curve_file.h"

namespace roundtrip {
namespace {

MeasureRequest measure_of(const PartsRequest& request, const MeasuredPart& part) {
  MeasureRequest measure = request.measure;
  if (part.signals.empty()) return measure;
  std::erase_if(measure.signals, [&](const std::string& signal) {
    return std::find(part.signals.begin(), part.signals.end(), signal) == part.signals.end();
  });
  return measure;
}

nlohmann::ordered_json context_of(const MeasureRequest& measure, const MeasuredPart& part,
                                  const Surrogate& surrogate, const Dataset& dataset,
                                  const std::string& own_fingerprint) {
  Provenance provenance;
  provenance.config = fmt::format("depths = [{}]\nsignals = \"{}\"\nsamples = {}\nbatch = {}\n{}",
                                  fmt::join(measure.depths, ", "), fmt::join(measure.signals, ","),
                                  measure.samples, measure.batch, surrogate.settings);
  provenance.seed = part.seed;
  provenance.data = dataset.provenance();
  provenance.data["part"] = part.name;
  provenance.data["model"] = surrogate.name;
  provenance.data["fingerprint"] = surrogate.fingerprint;
  if (!own_fingerprint.empty()) provenance.data["own_fingerprint"] = own_fingerprint;
  if (part.measured > 0) provenance.data["measured"] = part.measured;
  nlohmann::ordered_json context = to_json(provenance);
  // Tables made by another build of the program still say what they say.
  context.erase("commit");
  return context;
}

// A generator knows a training's held-out trajectories as one split.
DatasetSize size_of(const MeasuredPart& part) {
  switch (part.split) {
    case Split::train:
      return {.train = part.trajectories, .valid = 0, .test = 0};
    case Split::test:
      return {.train = 0, .valid = 0, .test = part.trajectories};
    default:
      return {.train = 0, .valid = part.trajectories, .test = 0};
  }
}

void measure_part(const PartsRequest& request, const MeasuredPart& part, ProcessGroup& alone,
                  const MeasuringProgress& progress) {
  const auto dataset = solve_part(request, part, progress);
  DataConfig config = data_config_of(request.model);
  const Surrogate surrogate =
      open_surrogate({.model = request.model, .settings = part.settings}, config, *dataset);
  CurveRequest curves;
  curves.out = request.folder / (part.name + ".csv");
  curves.splits = {part.split};
  curves.trajectories = part.measured;
  curves.measure = measure_of(request, part);
  curves.training = request.training;
  curves.force = request.force;
  // Of a model that samples otherwise: whose it is.
  const std::string own_fingerprint =
      part.settings.empty()
          ? ""
          : open_surrogate({.model = request.model}, config, *dataset).fingerprint;
  const auto context = context_of(curves.measure, part, surrogate, *dataset, own_fingerprint);
  if (!request.force && have_recorded_table(curves.out, context)) return;
  write_curves(curves, surrogate, *dataset, context, alone, [&](int64_t done, int64_t total) {
    progress("measuring " + part.name, "steps", done, total);
  });
}

}  // namespace

std::vector<MeasuredPart> test_parts(const TrainingSource& source, uint64_t seed, int64_t test,
                                         const std::vector<std::string>& chosen) {
  std::vector<MeasuredPart> parts = {{.name = "test",
                                      .split = Split::test,
                                      .overrides = source.overrides,
                                      .seed = seed,
                                      .trajectories = test}};
  for (const ScenarioEntry* scenario : scenarios_of(source.system)) {
    const bool asked = std::find(chosen.begin(), chosen.end(), scenario->name) != chosen.end();
    if (!chosen.empty() && !asked) continue;
    std::vector<std::string> overrides = source.overrides;
    overrides.insert(overrides.end(), scenario->overrides.begin(), scenario->overrides.end());
    parts.push_back({.name = fmt::format("ood-{}", scenario->name),
                     .split = Split::test,
                     .overrides = std::move(overrides),
                     .seed = seed,
                     .trajectories = scenario->trajectories,
                     .signals = expand_signals({"comparison"})});
  }
  return parts;
}

MeasuredPart training_seeds(const TrainingSource& source, int64_t count) {
  return {.name = "training-seeds",
          .split = Split::train,
          .overrides = source.first_frames(std::max<int64_t>(2, count)),  // as few as a dataset has
          .seed = source.seed,
          .trajectories = source.trajectories};
}

MeasuredPart calibration_part(const TrainingSource& source) {
  return {.name = "calibration",
          .split = Split::calibration,
          .overrides = source.overrides,
          .seed = source.seed,
          .trajectories = source.held_out,
          .signals = {"round_trip", "error"}};
}

std::vector<MeasuredPart> noise_parts(const MeasuredPart& test, int64_t own_seed,
                                      int64_t measured) {
  std::vector<MeasuredPart> parts;
  for (const int after : {1, 2}) {
    MeasuredPart part = test;
    part.name = fmt::format("noise-{}", after);
    part.data = test.name;
    part.measured = std::min(measured, test.trajectories);
    part.signals = {"round_trip", "error"};
    part.settings = {fmt::format("sampler.noise_seed={}", own_seed + after)};
    parts.push_back(std::move(part));
  }
  return parts;
}

std::unique_ptr<Dataset> solve_part(const PartsRequest& request, const MeasuredPart& part,
                                    const MeasuringProgress& progress) {
  const auto system = make_system(request.system, "small", part.overrides);
  const GenerateRequest solve{
      .folder = request.folder / "data" / (part.data.empty() ? part.name : part.data),
      .size = size_of(part),
      .seed = part.seed,
      .shard = {},
      .threads = request.threads,
      .force = request.force && part.data.empty(),  // another part's are fresh
      .name = request.system};
  generate(*system, solve, [&](int64_t done, int64_t total) {
    progress("solving " + part.name, "frames", done, total);
  });
  DataConfig config = data_config_of(request.model);
  config.path = solve.folder.string();
  return open_dataset(config);
}

void measure_parts(const PartsRequest& request, const MeasuringProgress& progress) {
  const auto alone = make_process_group({}, /*timeout=*/60);
  for (const MeasuredPart& part : request.parts) {
    stop_if_interrupted();
    measure_part(request, part, *alone, progress);
  }
}

}  // namespace roundtrip
