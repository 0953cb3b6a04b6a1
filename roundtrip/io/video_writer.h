#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/image.h"

namespace roundtrip {

/// How frames become an MP4.
struct VideoOptions {
  int64_t width = 0;       // pixels, even (4:2:0 colour)
  int64_t height = 0;      // pixels, even
  double rate = 25;        // frames per second
  double quality = 16;     // constant rate factor of H.264: 0 = best, 51 = worst
  std::string codec = {};  // "libx264" or "mpeg4"; empty = the first of them that FFmpeg has here
  AtomicFile::IfExists if_exists = AtomicFile::IfExists::replace;
};

/// Frames -> MP4 (4:2:0, BT.601, index first so that browsers start at once). The file appears at
/// `finish`, whole; without it nothing is left behind. The same frames and options give the same
/// bytes with the same FFmpeg: one encoder thread, no dates.
class VideoWriter {
 public:
  VideoWriter(const std::filesystem::path& path, const VideoOptions& options);
  ~VideoWriter();
  VideoWriter(VideoWriter&&) noexcept;
  VideoWriter& operator=(VideoWriter&&) noexcept;

  /// Adds a frame of the size in the options, shown from frame_index / rate on.
  void write(const Image& frame);

  /// Ends the file and gives it its name; at least one frame must have been written.
  void finish();

  /// The encoder in use: "libx264" or "mpeg4".
  const std::string& codec() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace roundtrip
