#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "roundtrip/systems/dataset_plan.h"
#include "roundtrip/systems/system.h"

namespace roundtrip {

/// A data file being written. Frames of different trajectories may come in any order and from
/// several threads; the bytes do not depend on it. The file appears at `finish`.
class TrajectoryFile {
 public:
  virtual ~TrajectoryFile() = default;
  /// Stores a frame [channel, x, y] of the file's `slot`-th trajectory.
  virtual void write_frame(int64_t slot, int64_t frame, std::span<const float> values) = 0;
  /// `redraws`: initial states given up on the way, summed over trajectories. A Well file says it.
  virtual void finish(int64_t redraws) = 0;
};

/// Opens `file` below `folder` in the system's storage; `provenance` goes into it where the format
/// has a place for it.
std::unique_ptr<TrajectoryFile> open_trajectory_file(const System& system, const DataFile& file,
                                                     const std::filesystem::path& folder,
                                                     const std::string& provenance);

}  // namespace roundtrip
