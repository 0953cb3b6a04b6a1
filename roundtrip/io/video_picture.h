#pragma once

#include <cstdint>

#include "roundtrip/base/image.h"
#include "roundtrip/io/video_ffmpeg.h"

namespace roundtrip {

/// Turns decoded frames into pictures of one size: centre crop to the aspect, resize, to RGB, turn.
class VideoPicture {
 public:
  /// Picture size in pixels as shown (0 x 0 = the frame's own) and the clockwise turn in degrees
  /// (0, 90, 180 or 270) from stored to shown.
  VideoPicture(int64_t width, int64_t height, int64_t rotation)
      : width_(width), height_(height), rotation_(rotation) {}

  /// `pixel_aspect`: width over height of a stored pixel; 0/1 = square. The frame itself is not
  /// changed. Returns a negative FFmpeg code on failure.
  int draw(const AVFrame& frame, AVRational pixel_aspect, Image& image);

 private:
  int prepare_scaler(const AVFrame& source, int width, int height);
  void copy_turned(const AVFrame& scaled, Image& image) const;

  // Everything the scaler was made for; streams may change it in the middle.
  struct Key {
    int source_width = 0, source_height = 0, format = -1, colour_space = 0, full_range = 0;
    int width = 0, height = 0;
    bool operator==(const Key&) const = default;
  };

  int64_t width_;
  int64_t height_;
  int64_t rotation_;
  Key key_;
  FfmpegPtr<SwsContext> scaler_;
  FfmpegPtr<AVFrame> scaled_ = make_frame();
  FfmpegPtr<AVFrame> cropped_ = make_frame();
};

}  // namespace roundtrip
