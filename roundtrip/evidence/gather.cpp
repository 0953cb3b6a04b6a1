#include "roundtrip/evidence/gather.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/provenance.h"
#include "roundtrip/base/recorded_table.h"
#include "roundtrip/distributed/process_group.h"
#include "roundtrip/evidence/families.h"
#include "roundtrip/systems/generate.h"
#include "roundtrip/systems/systems.h"
#include "roundtrip/trust/curve_file.h"

namespace roundtrip {
namespace {

MeasureRequest measure_of(const GatherRequest& request, const EvidencePart& part) {
  MeasureRequest measure = request.measure;
  if (part.signals.empty()) return measure;
  std::erase_if(measure.signals, [&](const std::string& signal) {
    return std::find(part.signals.begin(), part.signals.end(), signal) == part.signals.end();
  });
  return measure;
}

nlohmann::ordered_json context_of(const MeasureRequest& measure, const EvidencePart& part,
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
DatasetSize size_of(const EvidencePart& part) {
  switch (part.split) {
    case Split::train:
      return {.train = part.trajectories, .valid = 0, .test = 0};
    case Split::test:
      return {.train = 0, .valid = 0, .test = part.trajectories};
    default:
      return {.train = 0, .valid = part.trajectories, .test = 0};
  }
}

void measure_part(const GatherRequest& request, const EvidencePart& part, ProcessGroup& alone,
                  const GatherProgress& progress) {
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

std::vector<std::string> comparing_signals() {
  return {"round_trip", "error", "spread_seed", "seed_step", "seed_knn", "seed_codec", "fields"};
}

std::vector<EvidencePart> evidence_parts(const TrainingSource& source, uint64_t seed, int64_t test,
                                         const std::vector<std::string>& chosen) {
  std::vector<EvidencePart> parts = {{.name = "test",
                                      .split = Split::test,
                                      .overrides = source.overrides,
                                      .seed = seed,
                                      .trajectories = test}};
  for (const FamilyEntry* family : families_of(source.system)) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), family->name) == chosen.end()) {
      continue;
    }
    std::vector<std::string> overrides = source.overrides;
    overrides.insert(overrides.end(), family->overrides.begin(), family->overrides.end());
    parts.push_back({.name = fmt::format("family-{}", family->name),
                     .split = Split::test,
                     .overrides = std::move(overrides),
                     .seed = seed,
                     .trajectories = family->trajectories,
                     .signals = comparing_signals()});
  }
  return parts;
}

EvidencePart training_seeds(const TrainingSource& source, int64_t count) {
  return {.name = "training-seeds",
          .split = Split::train,
          .overrides = source.first_frames(std::max<int64_t>(2, count)),  // as few as a dataset has
          .seed = source.seed,
          .trajectories = source.trajectories};
}

EvidencePart calibration_part(const TrainingSource& source) {
  return {.name = "calibration",
          .split = Split::calibration,
          .overrides = source.overrides,
          .seed = source.seed,
          .trajectories = source.held_out,
          .signals = {"round_trip", "error"}};
}

std::vector<EvidencePart> noise_parts(const EvidencePart& test, int64_t own_seed,
                                      int64_t measured) {
  std::vector<EvidencePart> parts;
  for (const int after : {1, 2}) {
    EvidencePart part = test;
    part.name = fmt::format("noise-{}", after);
    part.data = test.name;
    part.measured = std::min(measured, test.trajectories);
    part.signals = {"round_trip", "error"};
    part.settings = {fmt::format("sampler.noise_seed={}", own_seed + after)};
    parts.push_back(std::move(part));
  }
  return parts;
}

std::unique_ptr<Dataset> solve_part(const GatherRequest& request, const EvidencePart& part,
                                    const GatherProgress& progress) {
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

void gather(const GatherRequest& request, const GatherProgress& progress) {
  const auto alone = make_process_group({}, /*timeout=*/60);
  for (const EvidencePart& part : request.parts) {
    stop_if_interrupted();
    measure_part(request, part, *alone, progress);
  }
}

}  // namespace roundtrip
