#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <torch/types.h>

#include "roundtrip/data/frame_file.h"
#include "roundtrip/data/frame_windows.h"
#include "roundtrip/data/training_samples.h"

namespace roundtrip {

/// Windows of latents with the frames that follow them.
struct LatentBatch {
  FrameWindows windows;  // float32
  torch::Tensor target;  // (B, F, h, w) float32
};

/// Writes the standardised latents of one split, trajectory by trajectory; the file appears whole
/// at `finish`. Holds no latents in memory. Python's safetensors reads it: `frames`, `lengths`.
class LatentCacheWriter {
 public:
  /// The fingerprint differs between codecs and between data; frames of each trajectory; latents of
  /// (F, h, w).
  LatentCacheWriter(const std::filesystem::path& path, std::string fingerprint,
                    std::vector<int64_t> lengths, const FrameShape& latent);

  /// The next trajectory, (T, F, h, w). An Error when a value is not finite.
  void append(const torch::Tensor& latents);
  /// A Bug when trajectories are missing.
  void finish();

 private:
  FrameFileWriter writer_;
  size_t next_ = 0;  // trajectory
};

/// Standardised latents of one split, mapped into memory. Thread-safe.
class LatentCache {
 public:
  /// Opens a cache. An Error when it is not there, cut short, or made by another codec or from
  /// other data than those of the fingerprint.
  LatentCache(const std::filesystem::path& path, const std::string& fingerprint);
  /// The same, but nothing when it has to be made (again).
  static std::optional<LatentCache> open_if_fits(const std::filesystem::path& path,
                                                 const std::string& fingerprint);

  int64_t trajectories() const { return static_cast<int64_t>(lengths().size()); }
  const std::vector<int64_t>& lengths() const { return file_.info().lengths; }
  const FrameShape& latent() const { return file_.info().frame; }

  /// A copy of a trajectory, (T, F, h, w).
  torch::Tensor trajectory(int64_t index) const;
  /// A copy of one latent frame, (F, h, w).
  torch::Tensor frame(int64_t trajectory, int64_t index) const;
  /// Copies of the samples' windows, which all have the same number of context frames.
  LatentBatch gather(std::span<const TrainingSample> samples) const;

  /// Reads everything; an Error when it is not what was written.
  void verify() const { file_.verify(); }

 private:
  FrameFile file_;
};

}  // namespace roundtrip
