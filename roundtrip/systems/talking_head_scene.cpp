// The head is an ellipsoid: a feature sits at a point of its surface, moves with the surface when
// the head turns or nods, and narrows as it goes round. Shade comes from the ellipsoid's normal and
// the light's direction.
#include "roundtrip/systems/talking_head_scene.h"

namespace roundtrip::talking_head {
namespace {

constexpr float kDepth = 0.72f;    // of the ellipsoid, towards the viewer, in half heights
constexpr float kRest = -0.03f;    // y of a head at rest, in the picture
constexpr float kNeckEnd = 0.90f;  // y in the picture

}  // namespace

Scene::Scene(const Face& face, const Pose& pose, std::span<float> planes, int64_t side)
    : face_(face),
      pose_(pose),
      open_(static_cast<float>(pose.mouth_open)),
      turn_(static_cast<float>(pose.turn)),
      nod_(static_cast<float>(pose.nod)),
      zoom_(face.zoom * static_cast<float>(pose.zoom)),
      centre_{static_cast<float>(pose.x), static_cast<float>(pose.y) + kRest},
      head_(planes, side, centre_, zoom_, static_cast<float>(pose.tilt)),
      body_(planes, side, {0.4f * centre_.x, 0.2f * (centre_.y - kRest)}, 1, 0) {}

void Scene::draw() const {
  draw_hair_behind();
  draw_body();
  draw_ear(-1);
  draw_ear(1);
  draw_skull();
  draw_cheeks_and_nose();
  draw_beard();
  draw_mouth();
  for (const float side : {-1.0f, 1.0f}) {
    draw_eye(side);
    draw_brow(side);
  }
  if (face_.glasses) draw_glasses();
  draw_hair();
}

Patch Scene::at(float x, float y) const {
  const float rx = face_.half_width;
  const float z = kDepth * std::sqrt(std::max(0.05f, 1 - (x / rx) * (x / rx) - y * y));
  const float across = std::cos(turn_) - x * kDepth * kDepth / (rx * rx * z) * std::sin(turn_);
  const float along = std::cos(nod_) - y * kDepth * kDepth / z * std::sin(nod_);
  return {{x * std::cos(turn_) + z * std::sin(turn_), y * std::cos(nod_) + z * std::sin(nod_)},
          std::clamp(across, 0.35f, 1.25f),
          std::clamp(along, 0.6f, 1.25f)};
}

float Scene::skull(Point p, float grow) const {
  const float drop = 1 + 0.07f * open_;
  const float y = p.y > 0 ? p.y / drop : p.y;
  const float low = std::clamp(y, 0.0f, 1.1f);
  const float width = 1 - 0.32f * face_.jaw * low * low;
  return ellipse({p.x / width, y}, face_.half_width + grow, 1 + grow);
}

float Scene::light(Point p, float roundness) const {
  const float nx = roundness * p.x / (face_.half_width * 1.08f), ny = roundness * p.y / 1.08f;
  const float nz = std::sqrt(std::max(0.05f, 1 - nx * nx - ny * ny));
  const float facing = nx * face_.light_x + ny * face_.light_y + nz * face_.light_z;
  const float wrapped = std::max(0.0f, 0.35f + 0.65f * facing);
  return face_.ambient + (1.12f - face_.ambient) * wrapped * wrapped;
}

Colour Scene::skin_at(Point p) const {
  const float brightness = light(p);
  // Shaded skin turns redder, not grey.
  const Colour warm = {1 + 0.05f * (1 - brightness), 1, 1 - 0.08f * (1 - brightness)};
  return face_.skin * brightness * warm;
}

Colour Scene::hair_at(Point p) const {
  const float strands = std::sin(9 * p.x + 2.5f * std::sin(3 * p.y) + 4 * face_.parting);
  const float shine = spot({p.x - 0.4f * face_.light_x, p.y + 0.82f}, 0.55f, 0.20f);
  const Colour base = face_.hair_colour * (light(p, 0.85f) * (1 + 0.09f * strands));
  return base + Colour{0.16f, 0.15f, 0.14f} * (shine * (0.7f + 0.3f * strands));
}

void Scene::shade(const Patch& patch, float rx, float ry, Colour colour, float strength) const {
  head_.blend(
      patch.box(rx, ry), [&](Point p) { return strength * spot(patch.local(p), rx, ry); },
      [&](Point) { return colour; });
}

void Scene::draw_hair_behind() const {
  const float rx = face_.half_width;
  if (has_long_hair()) {
    const float top = -0.95f, bottom = face_.hair_length, middle = (top + bottom) / 2;
    const float half_width = rx + face_.hair_volume + 0.06f;
    head_.paint(
        {-half_width - 0.1f, top - 0.1f, half_width + 0.1f, bottom + 0.1f},
        [&](Point p) {
          const float sway = -0.10f * turn_ * smooth_step(-0.2f, 1.2f, p.y);
          const float flare = 1 + 0.10f * smooth_step(0, 1.2f, p.y);
          return rounded_box({(p.x - sway) / flare, p.y - middle}, half_width, (bottom - top) / 2,
                             0.55f);
        },
        [&](Point p) { return hair_at(p) * mix(0.72f, 0.60f, smooth_step(-0.5f, 1, p.y)); });
  }
  if (face_.hair == HairStyle::bun) {
    const Patch bun = {{-0.25f * std::sin(turn_), -1.08f - face_.hair_volume - 0.2f * nod_}, 1, 1};
    head_.paint(
        bun.box(0.36f, 0.32f), [&](Point p) { return ellipse(bun.local(p), 0.30f, 0.26f); },
        [&](Point p) {
          return hair_at({p.x, p.y + 0.35f}) * 0.9f;
        });
  }
}

void Scene::draw_body() const {
  // Head to collar: the neck leans with the head. Positions in the picture less the body's shift.
  const float tilt = static_cast<float>(pose_.tilt);
  const Point down = {-std::sin(tilt), std::cos(tilt)};
  const Point shift = {centre_.x - 0.4f * centre_.x, centre_.y - 0.2f * (centre_.y - kRest)};
  const Point top = {shift.x + 0.5f * zoom_ * down.x, shift.y + 0.5f * zoom_ * down.y};
  const float thick = 0.50f * face_.half_width * zoom_;
  const float chin = shift.y + zoom_;
  body_.paint(
      {-0.6f, top.y - 0.3f, 0.6f, 1.2f},
      [&](Point p) {
        return capsule(p, top, {0, kNeckEnd}, thick);
      },
      [&](Point p) {
        const float across = (p.x - mix(top.x, 0, smooth_step(top.y, kNeckEnd, p.y))) / thick;
        const float side = 0.80f + 0.16f * across * face_.light_x - 0.12f * across * across;
        const float shadow = mix(0.66f, 1, smooth_step(chin - 0.04f, chin + 0.24f, p.y));
        return face_.skin * (side * shadow) * Colour{1.02f, 0.98f, 0.95f};
      });
  const auto shoulders = [](Point p) { return ellipse({p.x, p.y - 1.30f}, 0.98f, 0.60f); };
  const auto neckline = [&](Point p) { return ellipse({p.x, p.y - 0.66f}, thick * 1.30f, 0.20f); };
  const auto cloth = [&](Point p) {
    const float folds = 0.04f * std::sin(7 * p.x + 3 * p.y);
    const float side = 0.88f + 0.16f * p.x * face_.light_x + folds;
    return side * mix(1, 0.8f, smooth_step(0.4f, 0.9f, std::abs(p.x)));
  };
  body_.paint(
      {-1.2f, 0.6f, 1.2f, 1.3f}, [&](Point p) { return std::max(shoulders(p), -neckline(p)); },
      [&](Point p) { return face_.clothes * cloth(p); });
  body_.paint(
      {-0.5f, 0.6f, 0.5f, 1.1f},
      [&](Point p) {
        return std::max({shoulders(p), -neckline(p), neckline(p) - 0.035f});
      },
      [&](Point p) { return face_.collar * cloth(p); });
}

void Scene::draw_ear(float side) const {
  // Ears lie on the rim: the one the head turns towards goes out of sight.
  const float out = face_.half_width * 0.97f;
  const Patch ear = {{side * out * std::cos(0.5f * turn_) - 0.16f * std::sin(turn_),
                      face_.eye_height + 0.12f - 0.15f * nod_},
                     1 - 0.5f * side * std::sin(turn_),
                     1};
  head_.paint(
      ear.box(0.16f, face_.ear + 0.05f),
      [&](Point p) { return ellipse(turned(ear.local(p), 0.2f * side), 0.095f, face_.ear); },
      [&](Point p) {
        return skin_at({0.85f * p.x, p.y}) * Colour{0.97f, 0.90f, 0.88f};
      });
  shade(ear, 0.055f, 0.6f * face_.ear, skin_at(ear.centre) * 0.62f, 0.8f);
  if (face_.earrings) {
    const Patch ring = {{ear.centre.x, ear.centre.y + face_.ear + 0.03f}, 1, 1};
    head_.paint(
        ring.box(0.06f, 0.06f), [&](Point p) { return circle(ring.local(p), 0.035f); },
        [](Point) {
          return Colour{0.92f, 0.80f, 0.45f};
        });
  }
}

void Scene::draw_skull() const {
  const float rx = face_.half_width + 0.05f;
  head_.paint(
      {-rx, -1.05f, rx, 1.15f}, [&](Point p) { return skull(p); },
      [&](Point p) { return skin_at(p); });
}

void Scene::draw_beard() const {
  const float rx = face_.half_width;
  const Patch middle = at(0, 0.5f);
  const Colour colour = mix(face_.hair_colour, face_.skin, 0.12f);
  if (face_.beard > 0) {
    head_.blend(
        {-rx - 0.1f, -0.2f, rx + 0.1f, 1.3f},
        [&](Point p) {
          const float u = (p.x - 0.5f * middle.centre.x) / rx;
          const float line = 0.70f - 0.75f * u * u + 0.2f * nod_;
          return face_.beard * head_.coverage(skull(p, 0.03f)) *
                 smooth_step(line - 0.10f, line + 0.06f, p.y);
        },
        [&](Point p) {
          return colour * (light(p) * (0.92f + 0.05f * std::sin(17 * p.x) * std::sin(13 * p.y)));
        });
  }
  if (face_.moustache > 0) {
    const Patch lip = at(0, face_.mouth_height - 0.095f);
    head_.blend(
        lip.box(0.40f, 0.16f),
        [&](Point p) {
          const Point q = lip.local(p);
          const float u = q.x / (1.25f * face_.mouth_width);
          const float droop = 0.09f * u * u;
          const float thickness = 0.072f * arch(u) - 0.02f;
          const float d = std::abs(q.y - droop) - thickness;
          return face_.moustache * (1 - smooth_step(-0.03f, 0.02f, d));
        },
        [&](Point p) { return colour * light(p); });
  }
}

void Scene::draw_hair() const {
  if (face_.hair == HairStyle::bald) return;
  const float rx = face_.half_width, volume = face_.hair_volume;
  const float slide = 0.30f * std::sin(turn_);  // the hairline goes round with the face
  const float end = has_long_hair() ? 0.35f : face_.hair == HairStyle::cropped ? -0.12f : -0.02f;
  const auto hairline = [&](float u) {
    const float fall = u * u * u * u;
    float y = face_.hairline + (end - face_.hairline) * fall + 0.35f * nod_;
    if (face_.hair == HairStyle::side_part || has_long_hair()) {
      y += 0.16f * face_.parting * u * arch(u);
    }
    if (face_.hair == HairStyle::fringe) y += 0.025f * std::sin(11 * u + 3 * face_.parting);
    return y;
  };
  head_.paint(
      {-rx - volume - 0.1f, -1.2f - volume, rx + volume + 0.1f, 0.6f},
      [&](Point p) {
        const float u = std::clamp((p.x - slide) / rx, -1.1f, 1.1f);
        // Above the edge; the slope turns height into distance.
        const float slope = 4 * (end - face_.hairline) * u * u * u / rx;
        const float below = (p.y - hairline(u)) / std::sqrt(1 + slope * slope);
        // Thinner towards the ends, so that they lie against the head.
        const float ends = has_long_hair() ? 0 : smooth_step(end - 0.55f, end + 0.05f, p.y);
        float outline = skull({p.x, p.y + 0.2f * volume}, volume * (1 - 0.9f * ends));
        if (face_.hair == HairStyle::curly) {
          const float angle = std::atan2(p.x, -p.y);
          outline += 0.028f * (1 + std::sin(15 * angle + 5 * face_.parting));
        }
        return std::max(outline, below);
      },
      [&](Point p) { return hair_at(p); });
}

void Scene::draw_glasses() const {
  const float size_x = 1.42f * face_.eye_width;
  const float size_y = face_.round_glasses ? size_x : 0.72f * size_x;
  const float corner = face_.round_glasses ? size_y : 0.4f * size_y;
  const float y = face_.eye_height + 0.02f;
  const float thick = 0.018f;
  const auto frame_colour = [&](Point) { return face_.glasses_colour; };
  Point inner[2], outer[2];
  for (int i = 0; i < 2; ++i) {
    const float side = i == 0 ? -1.0f : 1.0f;
    const Patch lens = at(side * (face_.eye_spacing + 0.01f), y);
    const auto rim = [&](Point p) { return rounded_box(lens.local(p), size_x, size_y, corner); };
    const Box box = lens.box(size_x + 0.05f, size_y + 0.05f);
    head_.blend(
        box,
        [&](Point p) {
          const Point q = lens.local(p);
          const float streak = smooth_step(0.05f, 0.0f, std::abs(q.x + q.y - 0.04f));
          return head_.coverage(rim(p)) * (0.06f + 0.12f * streak);
        },
        [](Point) {
          return Colour{0.86f, 0.92f, 0.97f};
        });
    head_.paint(
        box, [&](Point p) { return std::abs(rim(p)) - thick; }, frame_colour);
    inner[i] = {lens.centre.x - side * size_x * lens.width, lens.centre.y - 0.03f};
    outer[i] = {lens.centre.x + side * size_x * lens.width, lens.centre.y - 0.04f};
    const Point hinge = {side * face_.half_width * 0.99f, lens.centre.y - 0.05f};
    // The arm on the far side is behind the face.
    if (side * (hinge.x - outer[i].x) > 0.02f) {
      head_.paint(
          {std::min(hinge.x, outer[i].x) - 0.05f, hinge.y - 0.1f,
           std::max(hinge.x, outer[i].x) + 0.05f, hinge.y + 0.1f},
          [&](Point p) { return capsule(p, outer[i], hinge, thick); }, frame_colour);
    }
  }
  head_.paint(
      {inner[0].x - 0.05f, inner[0].y - 0.1f, inner[1].x + 0.05f, inner[0].y + 0.1f},
      [&](Point p) { return capsule(p, inner[0], inner[1], thick); }, frame_colour);
}

}  // namespace roundtrip::talking_head
