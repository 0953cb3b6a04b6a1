#pragma once

#include <filesystem>
#include <memory>

#include "roundtrip/data/dataset.h"
#include "roundtrip/evidence/gather.h"
#include "roundtrip/evidence/training_source.h"

namespace roundtrip {

/// The first frames of the training trajectories of `request.model`, solved again into `folder`:
/// what `seed_knn` compares with.
std::unique_ptr<Dataset> solve_training_seeds(const GatherRequest& request,
                                              const TrainingSource& source,
                                              const std::filesystem::path& folder,
                                              const GatherProgress& progress);

}  // namespace roundtrip
