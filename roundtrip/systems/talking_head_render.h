#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "roundtrip/systems/talking_head_face.h"
#include "roundtrip/systems/talking_head_motion.h"

namespace roundtrip::talking_head {

/// Draws one face in any pose. What does not move, the background, is drawn once.
class HeadRenderer {
 public:
  /// Pictures of `side` x `side` pixels.
  HeadRenderer(const Face& face, int64_t side);

  /// Fills `planes`, RGB [3, row, column] in 0..1.
  void draw(const Pose& pose, std::span<float> planes) const;

 private:
  Face face_;
  int64_t side_;
  std::vector<float> background_;
};

}  // namespace roundtrip::talking_head
