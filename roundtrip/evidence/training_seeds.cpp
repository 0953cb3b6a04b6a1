#include "roundtrip/evidence/training_seeds.h"

#include <algorithm>

#include "roundtrip/models/bundle.h"
#include "roundtrip/systems/generate.h"
#include "roundtrip/systems/systems.h"

namespace roundtrip {

std::unique_ptr<Dataset> solve_training_seeds(const GatherRequest& request,
                                              const TrainingSource& source,
                                              const std::filesystem::path& folder,
                                              const GatherProgress& progress) {
  const int64_t seeds = std::max<int64_t>(
      2, read_facts_of_bundle(request.model).denoiser.contexts);  // a dataset has two frames
  const auto system = make_system(source.system, "small", source.first_frames(seeds));
  const GenerateRequest solve{.folder = folder,
                              .size = {.train = source.trajectories, .valid = 0, .test = 0},
                              .seed = source.seed,
                              .shard = {},
                              .threads = request.threads,
                              .force = request.force,
                              .name = source.system};
  generate(*system, solve, [&](int64_t done, int64_t total) {
    progress("solving training seeds", "frames", done, total);
  });
  DataConfig config = data_config_of(request.model);
  config.path = folder.string();
  return open_dataset(config);
}

}  // namespace roundtrip
