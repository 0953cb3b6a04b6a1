#pragma once

#include <span>

#include "roundtrip/systems/talking_head_face.h"
#include "roundtrip/systems/talking_head_motion.h"
#include "roundtrip/systems/talking_head_paint.h"

namespace roundtrip::talking_head {

/// A feature's own coordinates: origin, and how much its width and height shrink.
struct Patch {
  Point centre;
  float width = 1;
  float height = 1;

  Point local(Point p) const { return {(p.x - centre.x) / width, (p.y - centre.y) / height}; }
  Box box(float rx, float ry) const {
    return {centre.x - rx * width, centre.y - ry * height, centre.x + rx * width,
            centre.y + ry * height};
  }
};

inline Point turned(Point p, float angle) {
  const float c = std::cos(angle), s = std::sin(angle);
  return {c * p.x + s * p.y, c * p.y - s * p.x};
}

/// Height of a parabola over -1..1: 1 in the middle, 0 at the ends, and on downwards outside.
inline float arch(float u) { return 1 - u * u; }

/// One frame's picture being made, over a background that is there already. Lengths as in Face.
class Scene {
 public:
  Scene(const Face& face, const Pose& pose, std::span<float> planes, int64_t side);

  /// Paints the person, back to front.
  void draw() const;

 private:
  /// The patch of the surface that is at (x, y) when the head looks at the viewer.
  Patch at(float x, float y) const;
  /// Distance to the head's outline, `grow` outside it. The chin follows the mouth.
  float skull(Point p, float grow = 0) const;

  /// Brightness of a surface with the head's curvature at p; wrapped, as skin lets light through.
  float light(Point p, float roundness = 1) const;
  Colour skin_at(Point p) const;
  Colour hair_at(Point p) const;
  /// A soft spot of colour.
  void shade(const Patch& patch, float rx, float ry, Colour colour, float strength) const;

  bool has_long_hair() const { return face_.hair == HairStyle::long_straight; }

  // talking_head_scene.cpp: what surrounds the face. `side` is -1 for the viewer's left, 1 for the
  // right.
  void draw_hair_behind() const;
  void draw_body() const;
  void draw_ear(float side) const;
  void draw_skull() const;
  void draw_beard() const;
  void draw_hair() const;
  void draw_glasses() const;

  // talking_head_features.cpp: the face.
  void draw_cheeks_and_nose() const;
  void draw_nose() const;
  struct Mouth;
  void draw_mouth() const;
  void draw_lips(const Mouth& mouth) const;
  void draw_mouth_inside(const Mouth& mouth) const;
  struct Eye;
  void draw_eye(float side) const;
  void draw_lashes(const Eye& eye) const;
  void draw_brow(float side) const;
  /// Colour of the visible eyeball at q; `lid` is the height of the upper lid's edge above it.
  Colour eyeball(Point q, Point pupil, float lid) const;

  const Face& face_;
  const Pose& pose_;
  float open_, turn_, nod_;  // of the pose
  float zoom_;               // head's half height in the picture's
  Point centre_;             // of the head, in the picture
  Brush head_;
  Brush body_;
};

}  // namespace roundtrip::talking_head
