#pragma once

#include <cstdint>
#include <vector>

#include "roundtrip/base/random.h"

namespace roundtrip::talking_head {

/// Where a head is and what it does in one frame.
struct Pose {
  double x = 0, y = 0;     // shift, in half pictures
  double tilt = 0;         // radians, clockwise
  double turn = 0;         // radians, to the viewer's right
  double nod = 0;          // radians, down
  double zoom = 1;         // size relative to the identity's
  double gaze_x = 0;       // -1..1, to the viewer's right
  double gaze_y = 0;       // -1..1, down
  double lids = 1;         // 0 = closed, 1 = open
  double brows = 0;        // -1..1, up
  double mouth_open = 0;   // 0..1
  double mouth_width = 0;  // -1..1
  double smile = 0;        // -1..1
};

/// The motion of one clip: `frames` poses at `rate` per second. A longer clip from the same stream
/// begins with the same poses.
std::vector<Pose> draw_motion(const RandomStream& stream, int64_t frames, double rate);

}  // namespace roundtrip::talking_head
