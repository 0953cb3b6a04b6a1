#pragma once

#include "roundtrip/base/random.h"
#include "roundtrip/systems/talking_head_paint.h"

namespace roundtrip::talking_head {

enum class HairStyle { bald, cropped, side_part, fringe, curly, long_straight, bun };

/// Everything about a head that stays the same in all clips of an identity. Lengths are in units of
/// the head's half height; the head's centre is 0, x to the right, y down.
struct Face {
  // Geometry.
  float zoom;         // head's half height in the picture's
  float half_width;   // of the head
  float jaw;          // how much the head narrows downwards, 0..1
  float eye_spacing;  // of an eye from the middle
  float eye_height;   // y of the eyes
  float eye_width;    // half width of the opening
  float eye_opening;  // half height of the opening, wide open
  float eye_slant;    // radians, outer corners up
  float iris;         // radius
  float brow_gap;     // above the eye
  float brow_thickness;
  float brow_arch;
  float nose_width;
  float nose_end;      // y of the tip
  float mouth_height;  // y of the mouth
  float mouth_width;   // half width at rest
  float upper_lip;     // thickness
  float lower_lip;
  float ear;  // half height

  // Hair.
  HairStyle hair;
  float hairline;     // y of the hairline above the forehead, negative
  float hair_volume;  // thickness over the skull
  float hair_length;  // y of its end, for long hair
  float parting;      // tilt of the hairline, -1..1
  float beard;        // opacity, 0 = shaved
  float moustache;    // opacity

  // Colours, sRGB.
  Colour skin, hair_colour, iris_colour, lips, clothes, collar;
  Colour background_top, background_bottom, glow;

  // Light: direction to it (unit vector, z to the viewer) and how much comes from everywhere.
  float light_x, light_y, light_z, ambient;
  Point glow_at;  // a soft light in the background

  // Accessories.
  bool glasses, round_glasses, earrings;
  Colour glasses_colour;
};

/// Draws a face; the same stream gives the same face.
Face draw_face(const RandomStream& stream);

}  // namespace roundtrip::talking_head
