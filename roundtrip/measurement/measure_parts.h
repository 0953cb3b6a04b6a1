#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "roundtrip/data/dataset.h"
#include "roundtrip/measurement/training_source.h"
#include "roundtrip/rollout/surrogate.h"
#include "roundtrip/evaluation/measurements.h"
#include "roundtrip/trust/measure.h"

namespace roundtrip {

/// Trajectories of one kind, solved afresh and measured.
struct MeasuredPart {
  std::string name;                    // "test", "ood-blast": of its table
  Split split = Split::test;           // measured; those of a training are solved as they were
  std::vector<std::string> overrides;  // the system's settings
  uint64_t seed = 0;
  int64_t trajectories = 0;                // solved; `selection` and `calibration` are halves
  std::vector<std::string> signals = {};   // of those asked for, only these; empty: all
  std::string data = {};                   // another part whose trajectories these are
  int64_t measured = 0;                    // the first so many of them; 0: all
  std::vector<std::string> settings = {};  // of the model's sampling, instead of the bundle's
};

/// What to gather about a model.
struct PartsRequest {
  std::filesystem::path folder;  // tables as `<part>.csv`, data in `data/<part>`
  std::string model;             // a bundle
  std::string system;            // entry of systems()
  std::vector<MeasuredPart> parts;
  MeasureRequest measure;
  const Dataset* training = nullptr;  // for `seed_knn`
  int64_t threads = 1;                // of the solver
  bool force = false;                 // replace parts of the same name made otherwise
};

/// Test trajectories like those of a training, from a seed of their own, and scenarios of its
/// system: those named, or all when none is.
std::vector<MeasuredPart> test_parts(const TrainingSource& source, uint64_t seed, int64_t test,
                                         const std::vector<std::string>& scenarios = {});

/// The first `count` frames of the trajectories of a training, to be solved again: what `seed_knn`
/// compares with.
MeasuredPart training_seeds(const TrainingSource& source, int64_t count);

/// The calibration trajectories of a training, solved again.
MeasuredPart calibration_part(const TrainingSource& source);

/// The first test trajectories, rolled out with initial noise of the seeds after the model's own:
/// `noise-1`, `noise-2`.
std::vector<MeasuredPart> noise_parts(const MeasuredPart& test, int64_t own_seed, int64_t measured);

/// What gathering is doing: "solving blast", how much of how much.
using MeasuringProgress = std::function<void(const std::string& what, const std::string& unit,
                                          int64_t done, int64_t total)>;

/// A part's trajectories, opened: solved first unless the same ones are there.
std::unique_ptr<Dataset> solve_part(const PartsRequest& request, const MeasuredPart& part,
                                    const MeasuringProgress& progress);

/// Solves and measures all parts into the folder. Parts that are there, made alike, are kept, and a
/// stopped one continues; an Error when there are others of the same name.
void measure_parts(const PartsRequest& request, const MeasuringProgress& progress);

}  // namespace roundtrip
