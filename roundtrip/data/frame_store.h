#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include <torch/types.h>

#include "roundtrip/base/progress.h"
#include "roundtrip/data/dataset.h"
#include "roundtrip/data/frame_file.h"

namespace roundtrip {

/// One frame of a split.
struct FrameLocation {
  int64_t trajectory = 0;
  int64_t frame = 0;
};

/// Single frames of one split in any order, for training codecs. A dataset with random access is
/// read directly. Any other is copied once, in order, to a file in `cache_folder` named after the
/// split, which is mapped into memory and used again as long as it fits the dataset's provenance.
/// Memory: while copying 64 MB per thread (and what the dataset holds), afterwards none of its own.
/// Thread-safe. The dataset must outlive it.
class FrameStore {
 public:
  FrameStore(const Dataset& dataset, Split split, const std::filesystem::path& cache_folder,
             const Progress::Options& progress = {}, int64_t threads = 1);

  /// (B, C, H, W) float32, in the order of the locations.
  torch::Tensor frames(std::span<const FrameLocation> locations) const;

  int64_t trajectories() const { return dataset_.trajectories(split_); }
  int64_t length(int64_t trajectory) const { return dataset_.frames(split_, trajectory); }
  /// Whether frames come from a file in the cache folder.
  bool cached() const { return file_.has_value(); }

 private:
  const Dataset& dataset_;
  Split split_;
  std::optional<FrameFile> file_;
};

}  // namespace roundtrip
