#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "roundtrip/io/well_reader.h"

namespace roundtrip {

/// The Well's names of the splits of a dataset folder.
inline const std::vector<std::string> kWellSplits{"train", "valid", "test"};

/// The files of one split of a dataset folder, `<folder>/data/<split>/*.{hdf5,h5}`, sorted by path.
/// Empty when the split has none.
std::vector<std::filesystem::path> well_files(const std::filesystem::path& folder,
                                              const std::string& split);

/// An Error unless two files share grid, frames and fields, and so can be read as one dataset.
void check_same_layout(const WellReader& first, const WellReader& other);

/// One split of a Well dataset: its files as one list of trajectories. Thread-safe.
class WellFolder {
 public:
  /// An Error when there are no files, or when they disagree on grid, frames or fields.
  WellFolder(const std::filesystem::path& folder, const std::string& split);

  /// Which file, and which of its trajectories, trajectory `index` of the split is.
  struct Place {
    int64_t file = 0;
    int64_t trajectory = 0;
  };

  int64_t n_trajectories() const { return first_trajectory_.back(); }
  Place place(int64_t index) const;
  const std::vector<WellReader>& files() const { return files_; }
  /// Header of the first file; the others share its grid, frames and fields, while
  /// n_trajectories, parameters, scalars and notes are each file's own.
  const WellHeader& header() const { return files_.front().header(); }

  /// As WellReader::read_window, of trajectory `index` of the split.
  void read_window(int64_t index, int64_t first, int64_t count, std::span<float> out) const;

 private:
  std::filesystem::path folder_;
  std::vector<WellReader> files_;
  std::vector<int64_t> first_trajectory_;  // of each file, and the total
};

}  // namespace roundtrip
