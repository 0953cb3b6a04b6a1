#pragma once

#include <cstdint>
#include <string>

namespace roundtrip {

/// Which frame of a Well file is drawn where.
struct PictureRequest {
  std::string to = {};     // a PNG; empty: none
  int64_t trajectory = 0;  // in the file
  int64_t frame = -1;      // from the first; -1 is the last
};

/// What was drawn.
struct DrawnFrame {
  int64_t trajectory = 0;
  int64_t frame = 0;  // from the first
  double time = 0;

  /// "trajectory 1, frame 20, time 0.5"
  std::string shown() const;
};

/// An Error when the file has no such frame, or not on two axes.
void check_picture(const std::string& file, const PictureRequest& request);

/// Draws every channel of one frame of a two-dimensional Well file to a file that must be new.
DrawnFrame draw_well_frame(const std::string& file, const PictureRequest& request);

}  // namespace roundtrip
