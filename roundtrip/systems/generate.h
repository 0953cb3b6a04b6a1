#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "roundtrip/systems/dataset_plan.h"
#include "roundtrip/systems/system.h"

namespace roundtrip {

/// What to generate and where.
struct GenerateRequest {
  std::filesystem::path folder;
  DatasetSize size;
  uint64_t seed = 0;
  Shard shard;
  int64_t threads = 1;
  bool force = false;  // replace files of a dataset made with other settings
  std::string name;    // of the system, for provenance
};

/// What became of one data file.
struct FileReport {
  std::string path;  // relative to the folder
  int64_t trajectories = 0;
  bool kept = false;   // was there already, made with the same settings
  std::string commit;  // of the program that made a kept file, where the file says it
  SolveReport solve;   // summed over trajectories; of a kept file only the redraws
};

/// Called as work is done: (done, total), counting frames stored or trajectories finished.
using GenerateProgress = std::function<void(int64_t done, int64_t total)>;

/// Solves this shard's trajectories, one per thread, and streams them to disk: memory is one solver
/// and one frame per thread, and half a kilobyte for each file. Files already there are kept, so a
/// stopped run continues; a file is there whole or not at all. A folder made with other settings is
/// an Error unless forced.
std::vector<FileReport> generate(const System& system, const GenerateRequest& request,
                                 const GenerateProgress& progress);

/// Completes a dataset whose files are all there: stats.yaml of the training split for data in the
/// Well's format, clips.csv for video. An Error names the first missing file.
void finish_dataset(const System& system, const GenerateRequest& request,
                    const GenerateProgress& progress);

}  // namespace roundtrip
