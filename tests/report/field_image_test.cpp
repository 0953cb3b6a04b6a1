#include "roundtrip/report/field_image.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "roundtrip/base/error.h"
#include "roundtrip/report/bitmap_font.h"

namespace roundtrip {
namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();

// The rectangle of pixels that have `colour`.
struct Box {
  int64_t left = 1 << 30, right = -1, top = 1 << 30, bottom = -1, count = 0;
};
Box box_of(const Image& image, Rgb colour, int64_t columns) {
  Box box;
  for (int64_t y = 0; y < image.height; ++y) {
    for (int64_t x = 0; x < std::min(columns, image.width); ++x) {
      if (image.at(x, y) != colour) continue;
      box.left = std::min(box.left, x);
      box.right = std::max(box.right, x);
      box.top = std::min(box.top, y);
      box.bottom = std::max(box.bottom, y);
      ++box.count;
    }
  }
  return box;
}

// One bright cell at large x and large y of a 4 x 8 field: right and up, 16 x 16 pixels.
TEST(DrawFields, XRunsRightAndYUp) {
  std::vector<float> values(4 * 8, 0.0f);
  values[3 * 8 + 7] = 1;  // x = 3, y = 7
  const Image image = draw_fields({{.nx = 4, .ny = 8, .values = values}}, {.panel_size = 128});
  constexpr int64_t kLeft = 20, kWidth = 64, kHeight = 128;  // the margin, then 16 pixels a cell
  const Rgb high = colour_at(ColourMap::sequential, 1);
  const Rgb low = colour_at(ColourMap::sequential, 0);
  const Box bright = box_of(image, high, kLeft + kWidth);
  const Box dark = box_of(image, low, kLeft + kWidth);
  EXPECT_EQ(bright.count, 16 * 16);
  EXPECT_EQ(bright.left, kLeft + 48);
  EXPECT_EQ(bright.top, dark.top);
  EXPECT_EQ(dark.left, kLeft);
  EXPECT_EQ(dark.bottom - dark.top + 1, kHeight);
  EXPECT_EQ(dark.count, kWidth * kHeight - 16 * 16);
}

TEST(DrawFields, MissingCellsShow) {
  std::vector<float> values(32 * 32);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  values[5] = kNoValue;
  values[600] = std::numeric_limits<float>::infinity();
  const Image large = draw_fields({{.nx = 32, .ny = 32, .values = values}}, {.panel_size = 128});
  EXPECT_EQ(box_of(large, kMissingColour, large.width).count, 2 * 16);
  // Shrunk by four, each still blots out the pixel it is in.
  const Image small = draw_fields({{.nx = 32, .ny = 32, .values = values}}, {.panel_size = 8});
  EXPECT_EQ(box_of(small, kMissingColour, small.width).count, 2);
}

TEST(DrawFields, DivergingRangeIsSymmetric) {
  const std::vector<float> values = {0, 0, 0, -4};
  const Image image = draw_fields(
      {{.nx = 2, .ny = 2, .values = values, .map = ColourMap::diverging}}, {.panel_size = 64});
  constexpr int64_t kPanelRight = 20 + 64;
  EXPECT_EQ(box_of(image, colour_table(ColourMap::diverging)[128], kPanelRight).count, 3 * 32 * 32);
  EXPECT_EQ(box_of(image, colour_at(ColourMap::diverging, 0), kPanelRight).count, 32 * 32);
}

TEST(DrawFields, GivenRangeClamps) {
  const std::vector<float> values = {-9, 9};
  const Image image =
      draw_fields({{.nx = 2, .ny = 1, .values = values, .low = 0, .high = 1}}, {.panel_size = 64});
  EXPECT_EQ(image.at(20 + 10, image.height - 20 - 1), colour_at(ColourMap::sequential, 0));
  EXPECT_EQ(image.at(20 + 50, image.height - 20 - 1), colour_at(ColourMap::sequential, 1));
}

TEST(DrawFields, OddFieldsAreDrawn) {
  const std::vector<float> constant(16, 2.5f), missing(16, kNoValue);
  const Image image = draw_fields({{.title = "constant", .nx = 4, .ny = 4, .values = constant},
                                   {.title = "missing", .nx = 4, .ny = 4, .values = missing}},
                                  {.title = "odd", .panel_size = 40});
  EXPECT_EQ(box_of(image, kMissingColour, image.width).count, 40 * 40);
  EXPECT_GE(box_of(image, colour_table(ColourMap::sequential)[128], image.width).count, 40 * 40);
}

TEST(DrawFields, SixPanelsInTwoRowsOfThree) {
  const std::vector<float> values(64 * 64, 1.0f);
  const std::vector<FieldPanel> panels(6, {.title = "p", .nx = 64, .ny = 64, .values = values});
  const Image wide = draw_fields(panels, {.panel_size = 64});
  const Image same = draw_fields(panels, {.columns = 3, .panel_size = 64});
  EXPECT_EQ(wide, same);
  EXPECT_GT(wide.width, wide.height);
}

TEST(DrawFields, WrongSizesAreOurBug) {
  const std::vector<float> values(5);
  EXPECT_THROW(draw_fields({{.nx = 2, .ny = 2, .values = values}}), Bug);
  EXPECT_THROW(draw_fields({}), Bug);
}

TEST(DrawFields, ATitleLongerThanItsPanelsIsShownWhole) {
  const std::vector<float> values(4, 1.0F);
  const std::vector<FieldPanel> one = {{.title = "p", .nx = 2, .ny = 2, .values = values}};
  const std::string title = "turbulent_radiative_layer_2D, trajectory 0, frame 3, time 4.79";
  const Image without = draw_fields(one, {.panel_size = 40});
  const Image with = draw_fields(one, {.title = title, .panel_size = 40});
  EXPECT_GT(with.width, text_width(title, 1));
  EXPECT_GT(with.width, without.width);
}

}  // namespace
}  // namespace roundtrip
