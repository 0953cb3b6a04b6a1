#include "roundtrip/systems/talking_head_face.h"

#include <array>

namespace roundtrip::talking_head {
namespace {

// Draws in the order of the code: a new trait goes to the end, so that old faces stay.
class Dice {
 public:
  explicit Dice(const RandomStream& stream) : stream_(stream) {}

  float between(float low, float high) {
    return low + (high - low) * static_cast<float>(stream_.uniform(next_++));
  }
  bool chance(float probability) { return between(0, 1) < probability; }
  template <size_t N>
  Colour pick(const std::array<Colour, N>& colours) {
    return colours[static_cast<size_t>(between(0, N)) % N];
  }
  Colour vary(Colour colour, float amount) {
    const float light = between(1 - amount, 1 + amount);
    const Colour tint = {between(1 - amount / 3, 1 + amount / 3), 1,
                         between(1 - amount / 3, 1 + amount / 3)};
    const Colour varied = colour * light * tint;
    return {std::min(varied.red, 1.0f), std::min(varied.green, 1.0f), std::min(varied.blue, 1.0f)};
  }

 private:
  const RandomStream& stream_;
  uint64_t next_ = 0;
};

constexpr std::array<Colour, 7> kSkins = {{{0.96f, 0.82f, 0.73f},
                                           {0.93f, 0.76f, 0.64f},
                                           {0.87f, 0.69f, 0.54f},
                                           {0.78f, 0.58f, 0.43f},
                                           {0.65f, 0.45f, 0.33f},
                                           {0.50f, 0.34f, 0.25f},
                                           {0.38f, 0.25f, 0.19f}}};
constexpr std::array<Colour, 8> kHair = {{{0.10f, 0.08f, 0.08f},
                                          {0.17f, 0.11f, 0.09f},
                                          {0.28f, 0.18f, 0.12f},
                                          {0.40f, 0.26f, 0.16f},
                                          {0.52f, 0.24f, 0.12f},
                                          {0.78f, 0.60f, 0.34f},
                                          {0.62f, 0.46f, 0.27f},
                                          {0.64f, 0.63f, 0.63f}}};
constexpr std::array<Colour, 5> kIrises = {{{0.30f, 0.18f, 0.10f},
                                            {0.42f, 0.28f, 0.14f},
                                            {0.36f, 0.46f, 0.28f},
                                            {0.30f, 0.47f, 0.64f},
                                            {0.46f, 0.52f, 0.56f}}};
constexpr std::array<Colour, 8> kClothes = {{{0.16f, 0.20f, 0.32f},
                                             {0.45f, 0.13f, 0.16f},
                                             {0.20f, 0.33f, 0.28f},
                                             {0.82f, 0.80f, 0.76f},
                                             {0.22f, 0.22f, 0.24f},
                                             {0.35f, 0.45f, 0.58f},
                                             {0.72f, 0.56f, 0.30f},
                                             {0.50f, 0.36f, 0.50f}}};
constexpr std::array<Colour, 7> kBackgrounds = {{{0.62f, 0.68f, 0.74f},
                                                 {0.76f, 0.70f, 0.62f},
                                                 {0.42f, 0.50f, 0.48f},
                                                 {0.34f, 0.38f, 0.50f},
                                                 {0.66f, 0.56f, 0.56f},
                                                 {0.80f, 0.80f, 0.78f},
                                                 {0.30f, 0.30f, 0.32f}}};
constexpr std::array<HairStyle, 7> kStyles = {
    HairStyle::bald,  HairStyle::cropped,       HairStyle::side_part, HairStyle::fringe,
    HairStyle::curly, HairStyle::long_straight, HairStyle::bun};

void draw_geometry(Dice& dice, Face& face) {
  face.zoom = dice.between(0.58f, 0.66f);
  face.half_width = dice.between(0.70f, 0.82f);
  face.jaw = dice.between(0.25f, 0.75f);
  face.eye_spacing = dice.between(0.29f, 0.34f);
  face.eye_height = dice.between(-0.06f, 0.02f);
  face.eye_width = dice.between(0.135f, 0.165f);
  face.eye_opening = dice.between(0.062f, 0.090f);
  face.eye_slant = dice.between(-0.06f, 0.16f);
  face.iris = dice.between(0.066f, 0.078f);
  face.brow_gap = dice.between(0.15f, 0.20f);
  face.brow_thickness = dice.between(0.018f, 0.040f);
  face.brow_arch = dice.between(0.02f, 0.07f);
  face.nose_width = dice.between(0.10f, 0.16f);
  face.nose_end = dice.between(0.28f, 0.36f);
  face.mouth_height = dice.between(0.53f, 0.60f);
  face.mouth_width = dice.between(0.20f, 0.28f);
  face.upper_lip = dice.between(0.030f, 0.060f);
  face.lower_lip = dice.between(0.045f, 0.085f);
  face.ear = dice.between(0.17f, 0.23f);
}

void draw_hair(Dice& dice, Face& face) {
  // Bald heads are rarer than one in seven.
  face.hair = dice.chance(0.06f) ? HairStyle::bald
                                 : kStyles[1 + static_cast<size_t>(dice.between(0, 6)) % 6];
  face.hairline = dice.between(-0.66f, -0.52f);
  if (face.hair == HairStyle::fringe) face.hairline = dice.between(-0.38f, -0.30f);
  face.hair_volume = dice.between(0.08f, 0.15f);
  if (face.hair == HairStyle::cropped) face.hair_volume = dice.between(0.025f, 0.05f);
  if (face.hair == HairStyle::curly) face.hair_volume = dice.between(0.16f, 0.26f);
  face.hair_length = dice.between(0.8f, 1.6f);
  face.parting = dice.between(-1, 1);
  const bool long_hair = face.hair == HairStyle::long_straight || face.hair == HairStyle::bun;
  const bool may_have_beard = !long_hair && dice.chance(0.45f);
  face.beard = may_have_beard && dice.chance(0.7f) ? dice.between(0.35f, 0.95f) : 0;
  face.moustache = may_have_beard ? dice.between(0.5f, 0.95f) : 0;
  face.earrings = long_hair && dice.chance(0.5f);
}

void draw_colours(Dice& dice, Face& face) {
  const float tone = dice.between(0, 5.999f);
  const auto lighter = static_cast<size_t>(tone);
  face.skin = dice.vary(
      mix(kSkins[lighter], kSkins[lighter + 1], tone - static_cast<float>(lighter)), 0.04f);
  face.hair_colour = dice.vary(dice.pick(kHair), 0.12f);
  face.iris_colour = dice.vary(dice.pick(kIrises), 0.15f);
  const Colour red = dice.chance(0.35f) ? Colour{0.72f, 0.18f, 0.24f} : Colour{0.76f, 0.40f, 0.40f};
  face.lips = mix(face.skin * Colour{0.92f, 0.66f, 0.66f}, red, dice.between(0.1f, 0.6f));
  face.clothes = dice.vary(dice.pick(kClothes), 0.15f);
  face.collar = dice.chance(0.5f) ? face.clothes * 0.75f : Colour{0.88f, 0.88f, 0.87f};
  face.background_top = dice.vary(dice.pick(kBackgrounds), 0.12f);
  face.background_bottom =
      mix(face.background_top * dice.between(0.55f, 0.85f), dice.pick(kBackgrounds), 0.25f);
  face.glow = mix(face.background_top, {1, 0.96f, 0.88f}, dice.between(0.25f, 0.6f));
  face.glow_at = {dice.between(-0.9f, 0.9f), dice.between(-0.9f, 0.1f)};
}

}  // namespace

Face draw_face(const RandomStream& stream) {
  Dice dice(stream);
  Face face = {};
  draw_geometry(dice, face);
  draw_hair(dice, face);
  draw_colours(dice, face);
  const float azimuth = dice.between(-0.9f, 0.9f);     // radians from the viewer, to the right
  const float elevation = dice.between(0.25f, 0.75f);  // radians
  face.light_x = std::sin(azimuth) * std::cos(elevation);
  face.light_y = -std::sin(elevation);
  face.light_z = std::cos(azimuth) * std::cos(elevation);
  face.ambient = dice.between(0.50f, 0.68f);
  face.glasses = dice.chance(0.25f);
  face.round_glasses = dice.chance(0.5f);
  face.glasses_colour =
      dice.chance(0.7f) ? Colour{0.10f, 0.09f, 0.09f} : Colour{0.48f, 0.30f, 0.16f};
  return face;
}

}  // namespace roundtrip::talking_head
