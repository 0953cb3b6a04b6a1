// Sequential: viridis (van der Walt & Smith 2015, CC0), every 17th of its 256 published colours,
// joined by Catmull-Rom splines; within 2/255 of the full table. Diverging: straight lines of
// lightness in Oklab (Ottosson 2020), one hue on each side.
#include "roundtrip/report/colour_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace roundtrip {
namespace {

using Colour = std::array<double, 3>;  // sRGB, 0..1

constexpr std::array<Colour, 16> kViridis = {{{0.26700401, 0.00487433, 0.32941519},
                                              {0.28265633, 0.10019576, 0.42216032},
                                              {0.27713437, 0.18522836, 0.48989831},
                                              {0.25393498, 0.26525384, 0.52998273},
                                              {0.22198915, 0.33916114, 0.54875211},
                                              {0.19063135, 0.40706148, 0.55608907},
                                              {0.16362543, 0.47113278, 0.55814842},
                                              {0.13914708, 0.53381201, 0.55529773},
                                              {0.12056501, 0.59642187, 0.54361058},
                                              {0.13469183, 0.65863619, 0.51764880},
                                              {0.20803045, 0.71870095, 0.47287330},
                                              {0.32779580, 0.77397953, 0.40664011},
                                              {0.47750446, 0.82144351, 0.31819529},
                                              {0.64725685, 0.85839991, 0.20986086},
                                              {0.82494028, 0.88472036, 0.10621724},
                                              {0.99324789, 0.90615657, 0.14393620}}};

Colour viridis(double position) {
  constexpr int kEnd = static_cast<int>(kViridis.size()) - 1;
  const double scaled = position * kEnd;
  const int i = std::min(static_cast<int>(scaled), kEnd - 1);
  const double t = scaled - i;
  // Beyond the ends the second difference goes on, which keeps the curvature of the last piece.
  const auto anchor = [](int k, size_t channel) {
    const auto a = [&](int n) { return kViridis[static_cast<size_t>(n)][channel]; };
    if (k < 0) return 3 * a(0) - 3 * a(1) + a(2);
    if (k > kEnd) return 3 * a(kEnd) - 3 * a(kEnd - 1) + a(kEnd - 2);
    return a(k);
  };
  Colour colour;
  for (size_t channel = 0; channel < 3; ++channel) {
    const double a = anchor(i - 1, channel), b = anchor(i, channel);
    const double c = anchor(i + 1, channel), d = anchor(i + 2, channel);
    colour[channel] =
        b + 0.5 * t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * (b - c) + d - a)));
  }
  return colour;
}

double srgb_from_linear(double x) {
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

Colour srgb_from_oklab(double lightness, double a, double b) {
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {srgb_from_linear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          srgb_from_linear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          srgb_from_linear(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

Colour diverging(double position) {
  constexpr double kLightest = 0.97, kDarkest = 0.38, kChroma = 0.14;
  constexpr double kBlue = 258, kRed = 24;  // hue angles in degrees
  const double side = 2 * position - 1;
  const double distance = std::abs(side);
  const double hue = (side < 0 ? kBlue : kRed) * std::numbers::pi / 180;
  // Chroma rises fast and then stays: that is the shape of the sRGB gamut between the ends.
  const double chroma = kChroma * std::sin(std::min(1.0, 1.35 * distance) * std::numbers::pi / 2);
  return srgb_from_oklab(kLightest + (kDarkest - kLightest) * distance, chroma * std::cos(hue),
                         chroma * std::sin(hue));
}

uint8_t byte_of(double level) {
  return static_cast<uint8_t>(std::lround(255 * std::clamp(level, 0.0, 1.0)));
}

}  // namespace

Rgb colour_at(ColourMap map, double position) {
  if (std::isnan(position)) return kMissingColour;
  const double inside = std::clamp(position, 0.0, 1.0);
  const Colour colour = map == ColourMap::sequential ? viridis(inside) : diverging(inside);
  return {byte_of(colour[0]), byte_of(colour[1]), byte_of(colour[2])};
}

ColourMap map_for(std::span<const float> values) {
  const auto any = [&](auto holds) { return std::ranges::any_of(values, holds); };
  const bool both = any([](float x) { return std::isfinite(x) && x < 0; }) &&
                    any([](float x) { return std::isfinite(x) && x > 0; });
  return both ? ColourMap::diverging : ColourMap::sequential;
}

std::array<Rgb, 256> colour_table(ColourMap map) {
  std::array<Rgb, 256> table;
  for (size_t i = 0; i < table.size(); ++i) table[i] = colour_at(map, static_cast<double>(i) / 255);
  return table;
}

}  // namespace roundtrip
