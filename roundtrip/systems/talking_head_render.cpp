#include "roundtrip/systems/talking_head_render.h"

#include "roundtrip/systems/talking_head_scene.h"

namespace roundtrip::talking_head {

HeadRenderer::HeadRenderer(const Face& face, int64_t side)
    : face_(face), side_(side), background_(static_cast<size_t>(3 * side * side)) {
  const Brush brush(background_, side, {0, 0}, 1, 0);
  brush.blend(
      {-1, -1, 1, 1}, [](Point) { return 1.0f; },
      [&](Point p) {
        const Colour wall = mix(face.background_top, face.background_bottom,
                                smooth_step(-1, 1.1f, p.y + 0.25f * p.x * face.light_x));
        const float glow = spot({p.x - face.glow_at.x, p.y - face.glow_at.y}, 1.0f, 0.8f);
        return mix(wall, face.glow, 0.6f * glow) * (1 - 0.10f * (p.x * p.x + p.y * p.y));
      });
}

void HeadRenderer::draw(const Pose& pose, std::span<float> planes) const {
  std::copy(background_.begin(), background_.end(), planes.begin());
  Scene(face_, pose, planes, side_).draw();
  for (float& value : planes) value = std::clamp(value, 0.0f, 1.0f);
}

}  // namespace roundtrip::talking_head
