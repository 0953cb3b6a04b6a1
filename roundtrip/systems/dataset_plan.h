#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/systems/system.h"

namespace roundtrip {

/// How many trajectories a dataset has and how they lie in files.
struct DatasetSize {
  int64_t train = 8;
  int64_t valid = 2;
  int64_t test = 2;
  int64_t per_file = 50;  // trajectories in one file at most; a video holds one
};

/// Part `index` of `count` of the work, for running on several machines. Counted from 1.
struct Shard {
  int64_t index = 1;
  int64_t count = 1;
};

/// Reads "2/8"; an Error when it is not that.
Shard parse_shard(std::string_view text);

/// One data file: which trajectories of which split it holds, in stored order.
struct DataFile {
  std::string path;  // relative to the dataset's folder: data/train/mhd_000.hdf5
  std::string split;
  int64_t group = 0;
  std::vector<int64_t> trajectories;  // indices within the split
};

/// All files of a dataset. Depends on system and size only, never on shards or threads.
std::vector<DataFile> plan_files(const System& system, const DatasetSize& size);

/// The files of `plan` that belong to `shard`: every count-th one.
std::vector<DataFile> files_of_shard(const std::vector<DataFile>& plan, const Shard& shard);

}  // namespace roundtrip
