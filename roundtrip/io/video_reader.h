#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "roundtrip/base/image.h"

namespace roundtrip {

/// What a video says of itself.
struct VideoInfo {
  int64_t width = 0;      // pixels as shown: rotation metadata applied
  int64_t height = 0;     // pixels as shown
  double rate = 0;        // mean frames per second; 0 = the container does not say
  int64_t frames = 0;     // as the container says or duration x rate; 0 = unknown
  double duration = 0;    // seconds; 0 = unknown
  std::string codec;      // "h264"
  std::string container;  // "mov,mp4,m4a,3gp,3g2,mj2"
  int64_t rotation = 0;  // degrees clockwise that a player turns the stored frames: 0, 90, 180, 270
};

/// How frames are wanted.
struct VideoRequest {
  int64_t width = 0;   // pixels; 0 with height 0 = as stored
  int64_t height = 0;  // pixels
  double rate = 0;     // frames per second; 0 = every stored frame
};

/// Frames of a video in order of time, one at a time: memory does not grow with the clip.
///
/// Space: the picture is cropped about its centre to the wanted aspect, then resized: to half or
/// less by area means, otherwise bicubically (widened when shrinking). Pixels that are not square
/// (sample aspect ratio) and rotations by multiples of 90 degrees are honoured; other rotations
/// and mirrored matrices are not.
/// Time: time 0 is the first frame's. At rate r, frame k is the stored frame nearest to time k/r
/// (the earlier one of two as near); the last target is less than half a frame interval after the
/// last stored frame.
/// A frame that does not decode is an Error, and so is a file that breaks off, where the container
/// lets one tell (MP4 and MOV do).
class VideoReader {
 public:
  explicit VideoReader(const std::filesystem::path& path, const VideoRequest& request = {});
  ~VideoReader();
  VideoReader(VideoReader&&) noexcept;
  VideoReader& operator=(VideoReader&&) noexcept;

  const VideoInfo& info() const;

  /// Puts the next frame into `frame`; false after the last one.
  bool next(Image& frame);

  /// Presentation time in seconds of the stored frame that `next` gave last.
  double time() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The info alone, without decoding frames.
VideoInfo inspect_video(const std::filesystem::path& path);

}  // namespace roundtrip
