#include "roundtrip/evidence/reproduction.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "roundtrip/base/threads.h"
#include "roundtrip/evidence/certificate_table.h"
#include "roundtrip/evidence/field_records.h"
#include "roundtrip/evidence/pixel_table.h"
#include "roundtrip/evidence/signal_cost.h"
#include "roundtrip/evidence/training_source.h"
#include "roundtrip/models/bundle.h"

namespace roundtrip {
namespace {

// The first six, then fewer and fewer: what changes fast is seen, and the rest is affordable.
std::vector<int64_t> study_depths(int64_t deepest) {
  std::vector<int64_t> depths;
  for (int64_t i = 1; i <= deepest;) {
    depths.push_back(i);
    if (i < 6 || deepest <= 12) {
      i += 1;
    } else {
      i += i < 12 ? 2 : 4;
    }
  }
  return depths;
}

// The head-to-head on pixels is of one system; its frames of one field are small enough to keep.
bool in_benchmark(const TrainingSource& source) { return source.system == "navier_stokes"; }

GatherRequest gather_request(const ReproductionRequest& asked, const TrainingSource& source) {
  GatherRequest request;
  request.folder = asked.folder;
  request.model = asked.model;
  request.system = source.system;
  request.parts = evidence_parts(source, asked.test_seed, asked.test);
  if (asked.train > 0) {
    request.parts.push_back({.name = "train",
                             .split = Split::train,
                             .overrides = source.overrides,
                             .seed = source.seed,
                             .trajectories = std::min(asked.train, source.trajectories),
                             .signals = comparing_signals()});
  }
  for (EvidencePart& part : noise_parts(request.parts.front(), /*measured=*/50)) {
    request.parts.push_back(std::move(part));
  }
  if (in_benchmark(source)) request.parts.push_back(calibration_part(source));
  const int64_t deepest = source.frames - read_facts_of_bundle(asked.model).denoiser.contexts;
  request.measure = {.depths = asked.depths.empty() ? study_depths(deepest) : asked.depths,
                     .signals = asked.signals};
  request.threads = available_threads();
  request.force = asked.force;
  return request;
}

// Bounds lose their meaning soon: powers of factors are what they are made of.
std::vector<int64_t> certificate_depths(int64_t deepest) {
  std::vector<int64_t> depths;
  for (int64_t i = 1; i <= std::min<int64_t>(16, deepest); i *= 2) depths.push_back(i);
  return depths;
}

// Rollouts are compared pixel by pixel at all depths that both tables have from 1 on.
void measure_pixels(const GatherRequest& request, const Surrogate& surrogate,
                    const CalibratorSet& calibrators, const GatherProgress& progress) {
  const auto& depths = request.measure.depths;
  const auto part_of = [&](const char* name) {
    return *std::find_if(request.parts.begin(), request.parts.end(),
                         [&](const EvidencePart& part) { return part.name == name; });
  };
  int64_t deepest = 0;
  while (deepest < std::ssize(depths) && depths[static_cast<size_t>(deepest)] == deepest + 1) {
    ++deepest;
  }
  if (deepest == 0) return;
  const auto known = solve_part(request, part_of("calibration"), progress);
  const auto test = solve_part(request, part_of("test"), progress);
  write_pixel_table(request.folder / "pixels.csv",
                    {.calibration = {known.get(), Split::calibration,
                                     read_curves(request.folder / "calibration.csv")},
                     .test = {test.get(), Split::test, read_curves(request.folder / "test.csv")},
                     .depth = deepest,
                     .samples = request.measure.samples},
                    surrogate, calibrators, [&](int64_t done, int64_t total) {
                      progress("comparing pixels", "trajectories", done, total);
                    });
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

}  // namespace

Reproduction measure_model(const ReproductionRequest& asked, const CalibratorSet& calibrators,
                           const GatherProgress& progress) {
  const TrainingSource source = training_source(asked.model);
  GatherRequest request = gather_request(asked, source);
  const auto training = solve_part(
      request, training_seeds(source, read_facts_of_bundle(asked.model).denoiser.contexts),
      progress);
  request.training = training.get();
  gather(request, progress);
  request.force = false;  // all of it is fresh now
  const Surrogate surrogate =
      open_surrogate({.model = asked.model}, data_config_of(asked.model), *training);
  const auto test = solve_part(request, request.parts.front(), progress);
  const std::vector<int64_t>& depths = request.measure.depths;
  write_certificate_table(request.folder / "certificate.csv", surrogate, *test,
                          /*trajectories=*/16, certificate_depths(depths.back()));
  if (in_benchmark(source)) measure_pixels(request, surrogate, calibrators, progress);
  Reproduction measured;
  for (const EvidencePart& part : request.parts) {
    if (part.name != "calibration") measured.tables.push_back(part.name);  // what fits is no test
  }
  measured.costs = signal_costs(surrogate, request.measure.signals, depths.back());
  measured.pictures = pictures_of(surrogate, *test, depths);
  return measured;
}

}  // namespace roundtrip
