#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "roundtrip/data/dataset.h"
#include "roundtrip/evidence/gather.h"

namespace roundtrip {

/// The first frames of the trajectories a bundle was trained on, solved again: what `seed_knn`
/// compares with. Null when the bundle does not say how its data was made (data of another source).
std::unique_ptr<Dataset> solve_training_seeds(const std::string& model,
                                              const std::filesystem::path& folder, int64_t threads,
                                              const GatherProgress& progress);

}  // namespace roundtrip
