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

/// Draws every channel of one frame of a two-dimensional Well file; says which one it was.
std::string draw_well_frame(const std::string& file, const PictureRequest& request);

}  // namespace roundtrip
