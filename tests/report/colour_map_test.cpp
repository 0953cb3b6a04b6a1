#include "roundtrip/report/colour_map.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

double linear(uint8_t level) {
  const double x = level / 255.0;
  return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

// Relative luminance of sRGB (IEC 61966-2-1).
double luminance(Rgb colour) {
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

// Published colours of viridis halfway between our anchors, where the spline is worst.
TEST(ColourMap, SequentialIsViridis) {
  struct Published {
    int index;  // of 0..255
    double red, green, blue;
  };
  const Published rows[] = {
      {0, 0.26700401, 0.00487433, 0.32941519},   {8, 0.27701840, 0.05034437, 0.37571452},
      {25, 0.28262297, 0.14092556, 0.45751726},  {42, 0.26796846, 0.22354911, 0.51200840},
      {59, 0.23934575, 0.30085494, 0.54084398},  {76, 0.20675628, 0.37175775, 0.55311653},
      {93, 0.17742298, 0.43752720, 0.55756466},  {110, 0.15191820, 0.50068529, 0.55758733},
      {127, 0.12872938, 0.56326503, 0.55122927}, {144, 0.12063824, 0.62582833, 0.53348834},
      {161, 0.16201598, 0.68731632, 0.49912906}, {178, 0.25985676, 0.74549162, 0.44446673},
      {195, 0.39517408, 0.79747541, 0.36775726}, {212, 0.55548397, 0.84025437, 0.26928147},
      {229, 0.73088902, 0.87191584, 0.15602894}, {242, 0.86601325, 0.88986815, 0.09595277},
      {246, 0.90631121, 0.89485467, 0.09812496}, {250, 0.94563626, 0.89981500, 0.11283773},
      {255, 0.99324789, 0.90615657, 0.14393620}};
  for (const Published& row : rows) {
    const Rgb colour = colour_at(ColourMap::sequential, row.index / 255.0);
    EXPECT_NEAR(colour.red, 255 * row.red, 2) << row.index;
    EXPECT_NEAR(colour.green, 255 * row.green, 2) << row.index;
    EXPECT_NEAR(colour.blue, 255 * row.blue, 2) << row.index;
  }
}

// Two steps of 1/255 at a time: rounding to bytes is about as large as one step's luminance.
TEST(ColourMap, SequentialGrowsLighter) {
  const auto table = colour_table(ColourMap::sequential);
  for (size_t i = 2; i < table.size(); ++i) {
    EXPECT_GT(luminance(table[i]), luminance(table[i - 2])) << i;
  }
}

// Both ends are equally dark, up to the luminance that Oklab's lightness leaves open.
TEST(ColourMap, DivergingIsLightestInTheMiddle) {
  const auto table = colour_table(ColourMap::diverging);
  for (size_t i = 1; i < 128; ++i) {
    EXPECT_GT(luminance(table[i]), luminance(table[i - 1])) << i;
    EXPECT_GT(luminance(table[255 - i]), luminance(table[256 - i])) << i;
  }
  EXPECT_NEAR(luminance(table[0]), luminance(table[255]), 0.02);
  EXPECT_GT(luminance(colour_at(ColourMap::diverging, 0.5)), 0.85);
  EXPECT_GT(table[0].blue, table[0].red);
  EXPECT_GT(table[255].red, table[255].blue);
}

TEST(ColourMap, ClampsAndMarksMissing) {
  for (const ColourMap map : {ColourMap::sequential, ColourMap::diverging}) {
    EXPECT_EQ(colour_at(map, -3), colour_at(map, 0));
    EXPECT_EQ(colour_at(map, 7), colour_at(map, 1));
    EXPECT_EQ(colour_at(map, std::numeric_limits<double>::quiet_NaN()), kMissingColour);
    for (const Rgb colour : colour_table(map)) {
      const int distance = std::abs(colour.red - kMissingColour.red) +
                           std::abs(colour.green - kMissingColour.green) +
                           std::abs(colour.blue - kMissingColour.blue);
      EXPECT_GT(distance, 90);
    }
  }
}

TEST(ColourMap, FieldsOfBothSignsDiverge) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(map_for(std::vector<float>{-1, 2}), ColourMap::diverging);
  EXPECT_EQ(map_for(std::vector<float>{nan, 0, 2}), ColourMap::sequential);
  EXPECT_EQ(map_for(std::vector<float>{nan, -2, 1, nan}), ColourMap::diverging);
  EXPECT_EQ(map_for({}), ColourMap::sequential);
}

}  // namespace
}  // namespace roundtrip
