#include "roundtrip/measurement/reproduction.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/depths.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/recorded_table.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/calibration/calibrator_file.h"
#include "roundtrip/calibration/predicted_error.h"
#include "roundtrip/measurement/certificate_table.h"
#include "roundtrip/measurement/field_records.h"
#include "roundtrip/measurement/pixel_table.h"
#include "roundtrip/measurement/signal_cost.h"
#include "roundtrip/measurement/training_source.h"
#include "roundtrip/models/bundle.h"
#include "roundtrip/trust/trust_meter.h"

namespace roundtrip {
namespace {

// The head-to-head on pixels is of one system; its frames of one field are small enough to keep.
bool in_benchmark(const TrainingSource& source) { return source.system == "navier_stokes"; }

PartsRequest parts_request(const ReproductionRequest& asked, const TrainingSource& source) {
  const ModelMetadata facts = read_bundle_metadata(asked.model);
  PartsRequest request;
  request.folder = asked.folder;
  request.model = asked.model;
  request.system = source.system;
  request.parts = test_parts(source, asked.test_seed, asked.test);
  if (asked.train > 0) {
    request.parts.push_back({.name = "train",
                             .split = Split::train,
                             .overrides = source.overrides,
                             .seed = source.seed,
                             .trajectories = std::min(asked.train, source.trajectories),
                             .signals = expand_signals({"comparison"})});
  }
  for (MeasuredPart& part : noise_parts(request.parts.front(), facts.noise_seed, /*measured=*/50)) {
    request.parts.push_back(std::move(part));
  }
  if (in_benchmark(source)) request.parts.push_back(calibration_part(source));
  const int64_t deepest = source.frames - facts.denoiser.contexts;
  request.measure = {
      .depths = asked.depths.empty() ? default_depths(asked.model, deepest) : asked.depths,
      .signals = asked.signals};
  request.threads = available_threads();
  request.force = asked.force;
  return request;
}

// Bounds lose their meaning soon: powers of factors are what they are made of.
std::vector<int64_t> certificate_depths(int64_t deepest) {
  return doubling_depths(std::min<int64_t>(16, deepest));
}

// What made a table that is not of curves.
nlohmann::ordered_json record_of(const Surrogate& surrogate, const Dataset& test,
                                 nlohmann::ordered_json asked) {
  asked["fingerprint"] = surrogate.fingerprint;
  asked["test"] = test.provenance();
  return {{"data", std::move(asked)}};
}

void measure_certificate(const PartsRequest& request, const Surrogate& surrogate,
                         const Dataset& test) {
  constexpr int64_t kTrajectories = 16;
  const std::filesystem::path out = request.folder / "certificate.csv";
  const auto depths = certificate_depths(request.measure.depths.back());
  const auto record =
      record_of(surrogate, test, {{"trajectories", kTrajectories}, {"depths", depths}});
  if (have_recorded_table(out, record)) return;
  write_recorded_table(out, certificate_table(surrogate, test, kTrajectories, depths), record);
}

bool all_from_one(const std::vector<int64_t>& depths) {
  return depths.back() == static_cast<int64_t>(depths.size());
}

// Rollouts are compared pixel by pixel at every depth; with gaps in the depths there is no C for
// some of them.
void measure_pixels(const PartsRequest& request, const Surrogate& surrogate, const Dataset& test,
                    const CalibratorSet& calibrators, const MeasuringProgress& progress) {
  const std::filesystem::path out = request.folder / "pixels.csv";
  const auto& parts = request.parts;
  const auto part = std::find_if(parts.begin(), parts.end(), [](const MeasuredPart& one) {
    return one.split == Split::calibration;
  });
  if (part == parts.end() || !all_from_one(request.measure.depths)) {
    return remove_recorded_table(out);
  }
  const auto known = solve_part(request, *part, progress);
  const PixelTableRequest pixels{
      .calibration = {known.get(), Split::calibration,
                      read_curves(request.folder / (part->name + ".csv"))},
      .test = {&test, Split::test, read_curves(request.folder / "test.csv")},
      .depth = request.measure.depths.back(),
      .samples = request.measure.samples};
  const auto record = record_of(
      surrogate, test,
      {{"depth", pixels.depth},
       {"samples", pixels.samples},
       {"calibration", known->provenance()},
       {"calibrators", sha256_of_file(std::filesystem::path(request.model) / "calibrators.json")}});
  if (have_recorded_table(out, record)) return;
  const auto compared = [&](int64_t done, int64_t total) {
    progress("comparing pixels", "trajectories", done, total);
  };
  const auto rows = pixel_table(pixels, surrogate, calibrators, compared);
  write_recorded_table(out, pixel_rows_to_csv(rows), record);
}

// A test trajectory there and, from its end, back: decoded, and as the model sees it.
std::vector<Section> pictures_of(const Surrogate& surrogate, const Dataset& test,
                                 const std::vector<int64_t>& all_depths) {
  std::vector<int64_t> depths;
  for (const int64_t i : {1, 2, 4, 8, 10, 16, 24, 32, 40, 48, 56}) {
    if (i <= all_depths.back()) depths.push_back(i);
  }
  FieldsSection fields, latents;
  fields.title = "Fields, forward and backward";
  latents.title = "Latents, forward and backward";
  latents.text = "What the model steps: standardised latent channels.";
  for (const int64_t direction : {+1, -1}) {
    FieldRequest request{.trajectory = 0, .depths = depths, .direction = direction};
    request.label = direction > 0 ? "test 0" : "test 0, backward";
    fields.trajectories.push_back(record_fields(request, surrogate, test));
    request.latent = true;
    latents.trajectories.push_back(record_fields(request, surrogate, test));
  }
  return {fields, latents};
}

// What can be seen to fail is seen before hours of measuring.
void check_request(const PartsRequest& request, const TrainingSource& source, int64_t contexts) {
  const int64_t deepest = request.measure.depths.back(), there = source.frames - contexts;
  if (deepest > there) {
    throw Error("depths", fmt::format("expected depths up to {}, found {}; trajectories of {} have "
                                      "{} frames, {} of them seeds",
                                      there, deepest, source.system, source.frames, contexts));
  }
  const auto& signals = request.measure.signals;
  for (const char* needed : {"round_trip", "error"}) {
    if (std::find(signals.begin(), signals.end(), needed) != signals.end()) continue;
    throw Error("signal", fmt::format("--signals: expected {} among them, which every table needs, "
                                      "found {}",
                                      needed, fmt::join(signals, ",")));
  }
  find_signals(signals);
}

}  // namespace

std::vector<int64_t> default_depths(const std::filesystem::path& model, int64_t deepest) {
  const std::filesystem::path file = model / "calibrators.json";
  if (!std::filesystem::exists(file)) return measured_depths(deepest);
  const CalibratorSet calibrators = read_calibrators(file);
  std::vector<int64_t> depths = calibrated_depths(calibrators.find({"E", "C", "depth"}));
  std::erase_if(depths, [&](int64_t depth) { return depth > deepest; });
  return depths.empty() ? measured_depths(deepest) : depths;
}

Reproduction measure_model(const ReproductionRequest& asked, const CalibratorSet& calibrators,
                           const MeasuringProgress& progress) {
  const TrainingSource source = training_source(asked.model);
  const int64_t contexts = read_bundle_metadata(asked.model).denoiser.contexts;
  PartsRequest request = parts_request(asked, source);
  check_request(request, source, contexts);
  const auto training = solve_part(request, training_seeds(source, contexts), progress);
  request.training = training.get();
  const Surrogate surrogate =
      open_surrogate({.model = asked.model}, data_config_of(asked.model), *training);
  require_calibrators_of(surrogate, calibrators);
  measure_parts(request, progress);
  request.force = false;  // all of it is fresh now
  const auto test = solve_part(request, request.parts.front(), progress);
  measure_certificate(request, surrogate, *test);
  measure_pixels(request, surrogate, *test, calibrators, progress);
  Reproduction measured;
  for (const MeasuredPart& part : request.parts) {
    if (part.split != Split::calibration) measured.tables.push_back(part.name);  // it is no test
  }
  const std::vector<int64_t>& depths = request.measure.depths;
  measured.costs = signal_costs(surrogate, request.measure.signals, depths.back());
  measured.pictures = pictures_of(surrogate, *test, depths);
  return measured;
}

}  // namespace roundtrip
