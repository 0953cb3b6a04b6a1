#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "roundtrip/systems/dataset_plan.h"
#include "roundtrip/systems/system.h"

namespace roundtrip {

/// What a dataset is made from; together with a DataFile it decides every value in that file.
struct DatasetOrigin {
  std::string system;    // its name
  std::string settings;  // resolved, TOML
  uint64_t seed = 0;
  DatasetSize size;
};

/// What a finished data file says of its making.
struct MadeFile {
  int64_t redraws = 0;  // initial states given up, all trajectories
  std::string commit;   // of the program that made it; "" where the format has no place for it
};

/// A dataset's folder on disk: its manifest (dataset.json) and its data files. The manifest ties
/// the folder to one origin; another commit of ours may continue a dataset, other settings may not.
class DatasetFolder {
 public:
  DatasetFolder(std::filesystem::path folder, DatasetOrigin origin);

  /// Makes the folder ready for writing `shard_files` of `plan`. Without force: an Error when it
  /// holds a dataset of another origin, or data files nobody planned. With force: such a dataset's
  /// files are removed first, unless one of them is not ours, which is an Error and removes none;
  /// a dataset of the same origin loses `shard_files` only.
  void prepare(const std::vector<DataFile>& plan, const std::vector<DataFile>& shard_files,
               bool force) const;

  /// An Error unless the folder holds a dataset of this origin.
  void check_manifest() const;

  /// A planned file, if it is there. An Error when something else has its name.
  std::optional<MadeFile> find(const DataFile& file) const;

  /// Removes what killed runs left half-written. Their processes can be asked for on this machine
  /// only, so not for folders that several machines fill.
  void remove_leftovers() const;

  /// What goes into a data file about where it came from, JSON.
  std::string provenance(const DataFile& file) const;

 private:
  bool same_origin() const;
  std::vector<std::filesystem::path> data_files() const;
  void remove_dataset() const;

  std::filesystem::path folder_;
  DatasetOrigin origin_;
};

}  // namespace roundtrip
