#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "roundtrip/data/frame_shape.h"

namespace roundtrip {

/// What a file of frames holds.
struct FrameFileInfo {
  std::string fingerprint;       // of all that decides the values; any text
  std::vector<int64_t> lengths;  // frames of each trajectory
  FrameShape frame{1, 1, 1};

  int64_t frames() const;  // of all trajectories
};

/// Writes float32 frames of many trajectories, in order, as a safetensors file that appears whole
/// at `finish`: `lengths` (trajectories) int64, `frames` (frames, channels, height, width), and as
/// metadata the fingerprint and the SHA-256 of the frames. Holds no frames in memory.
class FrameFileWriter {
 public:
  FrameFileWriter(const std::filesystem::path& path, FrameFileInfo info);
  ~FrameFileWriter();

  const FrameFileInfo& info() const;
  /// Whole frames, following those before.
  void append(std::span<const float> values);
  /// A Bug when frames are missing.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Such a file mapped into memory: its pages are the system's, which drops them when memory is
/// wanted. An Error at opening when it is cut short, damaged or something else. Thread-safe.
class FrameFile {
 public:
  explicit FrameFile(const std::filesystem::path& path);
  ~FrameFile();
  FrameFile(FrameFile&&) noexcept;
  FrameFile& operator=(FrameFile&&) noexcept;

  const FrameFileInfo& info() const;
  /// frame_size floats; those of the trajectory's next frames follow.
  const float* frame(int64_t trajectory, int64_t index) const;
  /// Reads all frames; an Error when they are not the ones that were written.
  void verify() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace roundtrip
