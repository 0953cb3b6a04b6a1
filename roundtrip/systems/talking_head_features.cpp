// Eyes, brows, nose and mouth. Curves over a feature's width are parabolas, flat enough that the
// difference in height serves as distance.
#include "roundtrip/systems/talking_head_scene.h"

namespace roundtrip::talking_head {

// A mouth in its patch: heights at u = x / half of the curves that make it, y down.
struct Scene::Mouth {
  Patch patch;
  float half;  // width
  float gap;   // between the lips
  float smile;
  float upper_lip, lower_lip;

  float corner(float u) const { return -0.045f * smile * u * u + 0.012f * arch(u); }
  float upper_inner(float u) const { return corner(u) - 0.30f * gap * arch(u); }
  float lower_inner(float u) const { return corner(u) + 0.70f * gap * arch(u); }
  float upper_outer(float u) const {
    const float bow = 0.22f * spot({u, 0}, 0.30f, 1);  // the dip in the middle
    return upper_inner(u) - upper_lip * arch(u) * (1.12f - bow);
  }
  float lower_outer(float u) const {
    return lower_inner(u) + lower_lip * arch(u) * (0.75f + 0.25f * arch(u));
  }

  float lips(Point q) const {
    const float u = q.x / half;
    return std::max({upper_outer(u) - q.y, q.y - lower_outer(u), (std::abs(u) - 1) * half});
  }
  float inside(Point q) const {
    const float u = q.x / half;
    return std::max({upper_inner(u) - q.y, q.y - lower_inner(u), (std::abs(u) - 1) * half});
  }
  Box box() const { return patch.box(half + 0.06f, 0.30f); }
};

// An eye in its patch. The lower lid hardly moves; the upper one comes down to it.
struct Scene::Eye {
  Patch patch;
  float side;   // -1 = the viewer's left
  float slant;  // radians
  float half;   // width
  float high;   // half height, wide open
  float lids;   // 0 = closed, 1 = open

  Point local(Point p) const { return turned(patch.local(p), slant); }
  float lower(float u) const { return 0.62f * high * arch(u); }
  float upper(float u) const {
    return mix(lower(u) + 0.004f, -1.05f * high * arch(u) * (1 + 0.2f * side * u), lids);
  }
  float opening(Point q) const {
    const float u = q.x / half;
    return std::max({upper(u) - q.y, q.y - lower(u), (std::abs(u) - 1) * half});
  }
  Box box() const { return patch.box(1.5f * half, 2.6f * high); }
};

void Scene::draw_cheeks_and_nose() const {
  const Colour rose = face_.skin * Colour{1.0f, 0.72f, 0.68f};
  for (const float side : {-1.0f, 1.0f}) {
    shade(at(side * 0.42f, 0.32f), 0.24f, 0.20f, rose, 0.34f);
    // Eye sockets.
    shade(at(side * face_.eye_spacing, face_.eye_height - 0.05f), 0.26f, 0.20f,
          face_.skin * Colour{0.70f, 0.60f, 0.58f}, 0.55f);
  }
  shade(at(0, 0.97f * 0.9f), 0.22f, 0.12f, face_.skin * 1.08f, 0.25f);
  draw_nose();
}

void Scene::draw_nose() const {
  const float end = face_.nose_end, wide = face_.nose_width;
  // The nose stands out of the ellipsoid, so it moves further than the face.
  const float x = 0.14f * std::sin(turn_), y = 0.10f * std::sin(nod_);
  const auto point = [&](float px, float py, float out) {
    Patch patch = at(px, py);
    patch.centre.x += out * x;
    patch.centre.y += out * y;
    return patch;
  };
  const Colour dark = face_.skin * Colour{0.66f, 0.54f, 0.50f};
  const float shadow_side = face_.light_x > 0 ? -1.0f : 1.0f;
  shade(point(shadow_side * 0.62f * wide, 0.5f * end, 0.5f), 0.42f * wide, 0.30f, dark, 0.55f);
  shade(point(-shadow_side * 0.75f * wide, 0.35f * end, 0.4f), 0.30f * wide, 0.2f, dark, 0.22f);
  shade(point(0, end + 0.065f, 0.8f), 1.25f * wide, 0.075f, dark, 0.75f);
  shade(point(0, 0.45f * end, 0.7f), 0.34f * wide, 0.34f, skin_at({0, -0.2f}) * 1.10f, 0.45f);
  shade(point(0, end - 0.03f, 1), 0.75f * wide, 0.10f, skin_at({0, -0.2f}) * 1.08f, 0.75f);
  for (const float side : {-1.0f, 1.0f}) {
    shade(point(side * 0.80f * wide, end, 0.8f), 0.42f * wide, 0.065f, skin_at({0, 0.1f}), 0.7f);
    shade(point(side * 0.48f * wide, end + 0.045f, 0.9f), 0.38f * wide, 0.040f,
          face_.skin * Colour{0.30f, 0.18f, 0.16f}, 1.0f);
  }
}

void Scene::draw_mouth() const {
  const float smile = static_cast<float>(pose_.smile);
  const float stretch = 1 + 0.16f * static_cast<float>(pose_.mouth_width) + 0.10f * smile;
  const Mouth mouth = {.patch = at(0, face_.mouth_height + 0.04f * open_),
                       .half = face_.mouth_width * stretch * (1 - 0.12f * open_),
                       .gap = 0.155f * open_,
                       .smile = smile,
                       .upper_lip = face_.upper_lip,
                       .lower_lip = face_.lower_lip};
  draw_lips(mouth);
  draw_mouth_inside(mouth);
}

void Scene::draw_lips(const Mouth& mouth) const {
  const float half = mouth.half;
  const Patch& patch = mouth.patch;
  // Light falls from above: a shadow below, the upper lip darker, a gleam on the lower one.
  const Patch below = {
      {patch.centre.x, patch.centre.y + mouth.lower_outer(0) + 0.045f}, patch.width, patch.height};
  shade(below, 0.75f * half, 0.06f, face_.skin * Colour{0.66f, 0.55f, 0.52f}, 0.6f);
  const float brightness = light(patch.centre);
  head_.paint(
      mouth.box(), [&](Point p) { return mouth.lips(patch.local(p)); },
      [&](Point p) {
        const Point q = patch.local(p);
        const float lower = smooth_step(-0.02f, 0.03f, q.y - mouth.lower_inner(q.x / half));
        const Point from_gleam = {q.x - 0.05f * face_.light_x,
                                  q.y - mouth.lower_inner(0) - 0.45f * face_.lower_lip};
        const float gleam = 0.30f * spot(from_gleam, 0.6f * half, 0.035f);
        return face_.lips * (brightness * (mix(0.84f, 1.0f, lower) + gleam));
      });
}

void Scene::draw_mouth_inside(const Mouth& mouth) const {
  const float half = mouth.half;
  const Colour throat = {0.22f, 0.07f, 0.08f};
  const Colour tongue = {0.66f, 0.30f, 0.30f};
  const Colour teeth = Colour{0.93f, 0.91f, 0.86f} * (0.85f * light(mouth.patch.centre));
  head_.paint(
      mouth.box(), [&](Point p) { return mouth.inside(mouth.patch.local(p)); },
      [&](Point p) {
        const Point q = mouth.patch.local(p);
        const float on_tongue =
            spot({q.x, q.y - mouth.lower_inner(0)}, 0.75f * half, 0.6f * mouth.gap + 0.01f);
        const float row = 1 - smooth_step(0.036f, 0.056f, q.y - mouth.upper_inner(q.x / half));
        const float front = 1 - smooth_step(0.6f, 0.95f, std::abs(q.x) / half);
        return mix(mix(throat, tongue, on_tongue), teeth, row * front);
      });
  // The line where the lips meet, as long as they do.
  const float closed = 1 - smooth_step(0.0f, 0.25f, open_);
  if (closed == 0) return;
  head_.blend(
      mouth.box(),
      [&](Point p) {
        const Point q = mouth.patch.local(p);
        const float u = q.x / half;
        const float d = std::abs(q.y - mouth.corner(u)) - 0.012f;
        return closed * 0.85f * head_.coverage(std::max(d, (std::abs(u) - 1) * half));
      },
      [&](Point) {
        return face_.lips * Colour{0.45f, 0.36f, 0.38f};
      });
}

void Scene::draw_eye(float side) const {
  const Eye eye = {.patch = at(side * face_.eye_spacing, face_.eye_height),
                   .side = side,
                   .slant = side * -face_.eye_slant,
                   .half = face_.eye_width,
                   .high = face_.eye_opening,
                   .lids = std::clamp(static_cast<float>(pose_.lids), 0.0f, 1.15f)};
  // The lid is the eyeball's skin.
  head_.blend(
      eye.box(),
      [&](Point p) {
        const Point q = eye.local(p);
        return 0.8f * spot({q.x, q.y + 0.25f * eye.high}, 1.45f * eye.half, 2.1f * eye.high);
      },
      [&](Point p) {
        return skin_at(p) * Colour{0.97f, 0.90f, 0.88f};
      });
  const Point pupil = {0.36f * eye.half * static_cast<float>(pose_.gaze_x),
                       eye.high * (0.30f * static_cast<float>(pose_.gaze_y) - 0.10f)};
  head_.paint(
      eye.box(), [&](Point p) { return eye.opening(eye.local(p)); },
      [&](Point p) {
        const Point q = eye.local(p);
        return eyeball(q, pupil, eye.upper(q.x / eye.half));
      });
  draw_lashes(eye);
}

void Scene::draw_lashes(const Eye& eye) const {
  const Colour dark = mix(face_.hair_colour * 0.4f, {0.06f, 0.05f, 0.05f}, 0.6f);
  head_.paint(
      eye.box(),
      [&](Point p) {
        const Point q = eye.local(p);
        const float u = q.x / (1.06f * eye.half);
        const float thickness = 0.006f + 0.012f * arch(u);
        return std::max(std::abs(q.y - eye.upper(q.x / eye.half)) - thickness,
                        (std::abs(u) - 1) * eye.half);
      },
      [&](Point) { return dark; });
  // The crease above the lid.
  head_.blend(
      eye.box(),
      [&](Point p) {
        const Point q = eye.local(p);
        const float u = q.x / (1.1f * eye.half);
        const float y = mix(-0.2f, -1.75f, 0.35f + 0.65f * eye.lids) * eye.high * arch(u);
        return 0.55f * std::max(0.0f, arch(u)) * (1 - smooth_step(0, 0.022f, std::abs(q.y - y)));
      },
      [&](Point) {
        return face_.skin * Colour{0.52f, 0.42f, 0.40f};
      });
}

Colour Scene::eyeball(Point q, Point pupil, float lid) const {
  const Point r = {q.x - pupil.x, q.y - pupil.y};
  const float shadow = mix(0.72f, 1, smooth_step(0, 0.055f, q.y - lid));
  Colour colour = Colour{0.95f, 0.94f, 0.93f} * (0.92f * shadow);
  const float radius = face_.iris;
  const float ring = smooth_step(0.55f * radius, radius, circle(r, 0));
  const Colour iris = mix(face_.iris_colour * 1.25f, face_.iris_colour * 0.55f, ring);
  colour = mix(colour, iris * shadow, head_.coverage(circle(r, radius)));
  colour = mix(colour, {0.04f, 0.03f, 0.03f}, head_.coverage(circle(r, 0.46f * radius)));
  const Point gleam = {r.x - 0.4f * radius * face_.light_x, r.y + 0.42f * radius};
  return mix(colour, {1, 1, 1}, 0.9f * head_.coverage(circle(gleam, 0.20f * radius)));
}

void Scene::draw_brow(float side) const {
  const float lift = 0.05f * static_cast<float>(pose_.brows);
  const Patch brow =
      at(side * (face_.eye_spacing + 0.015f), face_.eye_height - face_.brow_gap - lift);
  const float half = 1.30f * face_.eye_width;
  const bool shaved_head = face_.hair == HairStyle::bald;
  const Colour colour = mix(face_.hair_colour * 0.75f, face_.skin, shaved_head ? 0.25f : 0.12f);
  head_.paint(
      brow.box(1.2f * half, 0.2f),
      [&](Point p) {
        const Point q = turned(brow.local(p), side * -0.6f * face_.eye_slant);
        const float u = q.x / half;
        const float thickness = face_.brow_thickness * (0.72f - 0.28f * side * u);
        const float y = 0.03f - face_.brow_arch * arch(u - 0.25f * side);
        return std::max(std::abs(q.y - y) - thickness * arch(0.9f * u), (std::abs(u) - 1) * half);
      },
      [&](Point p) { return colour * light(p); });
}

}  // namespace roundtrip::talking_head
