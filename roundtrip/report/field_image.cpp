#include "roundtrip/report/field_image.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/report/bitmap_font.h"

namespace roundtrip {
namespace {

constexpr Rgb kPaper = {255, 255, 255};
constexpr Rgb kInk = {32, 32, 36};
constexpr Rgb kSoftInk = {84, 84, 92};
constexpr Rgb kFrame = {120, 120, 128};

// Pixels.
constexpr int64_t kMargin = 20;
constexpr int64_t kGap = 28;      // between panels
constexpr int64_t kTitleGap = 8;  // between a title and its panel
constexpr int64_t kBarGap = 8;    // between a panel and its bar
constexpr int64_t kBarWidth = 12;
constexpr int64_t kLabelGap = 6;  // between a bar and its numbers
constexpr int64_t kTitleScale = 2;
constexpr int64_t kLabelScale = 1;
constexpr int64_t kHeadingScale = 3;
constexpr int64_t kTitleHeight = kGlyphHeight * kTitleScale;

struct Range {
  double low = 0;
  double high = 0;

  double position(double value) const {
    if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
    return high > low ? (value - low) / (high - low) : 0.5;  // a constant takes the middle
  }
};

struct Size {
  int64_t width = 0;
  int64_t height = 0;
};

Range range_of(const FieldPanel& panel) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const float value : panel.values) {
    if (!std::isfinite(value)) continue;
    low = std::min<double>(low, value);
    high = std::max<double>(high, value);
  }
  if (low > high) low = high = std::numeric_limits<double>::quiet_NaN();
  if (panel.map == ColourMap::diverging) {
    high = std::max(std::abs(low), std::abs(high));
    low = -high;
  }
  return {panel.low.value_or(low), panel.high.value_or(high)};
}

Size size_of(const FieldPanel& panel, int64_t longer_side) {
  const int64_t longer_cells = std::max(panel.nx, panel.ny);
  if (longer_cells <= longer_side) {
    const int64_t zoom = (longer_side + longer_cells / 2) / longer_cells;
    return {panel.nx * zoom, panel.ny * zoom};
  }
  const auto shrunk = [&](int64_t cells) {
    return std::max<int64_t>(1, (cells * longer_side + longer_cells / 2) / longer_cells);
  };
  return {shrunk(panel.nx), shrunk(panel.ny)};
}

// Cells [first, last) that pixel i of `pixels` covers.
std::pair<int64_t, int64_t> cells_of(int64_t i, int64_t pixels, int64_t cells) {
  const int64_t first = i * cells / pixels;
  return {first, std::max(first + 1, (i + 1) * cells / pixels)};
}

void draw_frame(Image& image, int64_t left, int64_t top, Size size) {
  for (int64_t x = left - 1; x <= left + size.width; ++x) {
    image.set(x, top - 1, kFrame);
    image.set(x, top + size.height, kFrame);
  }
  for (int64_t y = top - 1; y <= top + size.height; ++y) {
    image.set(left - 1, y, kFrame);
    image.set(left + size.width, y, kFrame);
  }
}

void draw_values(Image& image, const FieldPanel& panel, const Range& range, int64_t left,
                 int64_t top, Size size) {
  const std::array<Rgb, 256> table = colour_table(panel.map);
  for (int64_t column = 0; column < size.width; ++column) {
    const auto [x_first, x_last] = cells_of(column, size.width, panel.nx);
    for (int64_t up = 0; up < size.height; ++up) {
      const auto [y_first, y_last] = cells_of(up, size.height, panel.ny);
      double sum = 0;
      for (int64_t x = x_first; x < x_last; ++x) {
        for (int64_t y = y_first; y < y_last; ++y) {
          sum += panel.values[static_cast<size_t>(x * panel.ny + y)];
        }
      }
      const double mean = sum / static_cast<double>((x_last - x_first) * (y_last - y_first));
      const double position = range.position(mean);
      const Rgb colour =
          std::isnan(position)
              ? kMissingColour
              : table[static_cast<size_t>(std::lround(255 * std::clamp(position, 0.0, 1.0)))];
      image.set(left + column, top + size.height - 1 - up, colour);
    }
  }
}

std::string label_of(double value) { return fmt::format("{:.3g}", value + 0.0); }  // no "-0"

void draw_bar(Image& image, ColourMap map, const Range& range, int64_t left, int64_t top,
              int64_t height) {
  for (int64_t up = 0; up < height; ++up) {
    const double position = (static_cast<double>(up) + 0.5) / static_cast<double>(height);
    const Rgb colour = colour_at(map, position);
    for (int64_t x = 0; x < kBarWidth; ++x) image.set(left + x, top + height - 1 - up, colour);
  }
  draw_frame(image, left, top, {kBarWidth, height});
  const int64_t text_left = left + kBarWidth + kLabelGap;
  const int64_t letter = kGlyphAscent * kLabelScale;
  const double middle = range.low + (range.high - range.low) / 2;
  draw_text(image, label_of(range.high), text_left, top, kLabelScale, kSoftInk);
  draw_text(image, label_of(range.low), text_left, top + height - letter, kLabelScale, kSoftInk);
  if (height >= 5 * letter && range.high > range.low) {
    draw_text(image, label_of(middle), text_left, top + (height - letter) / 2, kLabelScale,
              kSoftInk);
  }
}

int64_t label_width(const Range& range) {
  const double middle = range.low + (range.high - range.low) / 2;
  return std::max({text_width(label_of(range.low), kLabelScale),
                   text_width(label_of(range.high), kLabelScale),
                   text_width(label_of(middle), kLabelScale)});
}

// The title as far as it fits.
std::string fitted(const std::string& title, int64_t width) {
  const auto letters =
      static_cast<size_t>(std::max<int64_t>(0, (width / kTitleScale + 1) / kGlyphAdvance));
  if (title.size() <= letters) return title;
  return letters < 3 ? title.substr(0, letters) : title.substr(0, letters - 2) + "..";
}

}  // namespace

Image draw_fields(const std::vector<FieldPanel>& panels, const FieldImageStyle& style) {
  ensure(!panels.empty() && style.panel_size > 0, "a picture of fields has panels with a size");
  const auto count = static_cast<int64_t>(panels.size());
  int64_t columns = style.columns;
  if (columns <= 0)
    columns = static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  columns = std::min(columns, count);
  const int64_t rows = (count + columns - 1) / columns;

  Size cell;  // the largest panel with its bar and numbers, without the title
  std::vector<Range> ranges;
  for (const FieldPanel& panel : panels) {
    ensure(panel.nx > 0 && panel.ny > 0 &&
               panel.values.size() == static_cast<size_t>(panel.nx * panel.ny),
           "a panel has nx * ny values");
    const Size size = size_of(panel, style.panel_size);
    ranges.push_back(range_of(panel));
    cell.width = std::max(
        cell.width, size.width + kBarGap + kBarWidth + kLabelGap + label_width(ranges.back()));
    cell.height = std::max(cell.height, size.height);
  }
  const int64_t row_height = kTitleHeight + kTitleGap + cell.height;
  const int64_t panels_width = columns * cell.width + (columns - 1) * kGap;
  // Over few panels the heading takes smaller letters before it takes more room.
  const int64_t scale =
      text_width(style.title, kHeadingScale) <= panels_width ? kHeadingScale : kTitleScale;
  const int64_t width = std::max(panels_width, text_width(style.title, scale));
  const int64_t heading = style.title.empty() ? 0 : kGlyphHeight * scale + kGap - kMargin / 2;
  Image image(2 * kMargin + width, 2 * kMargin + heading + rows * row_height + (rows - 1) * kGap,
              kPaper);
  draw_text(image, style.title, kMargin, kMargin, scale, kInk);

  for (int64_t i = 0; i < count; ++i) {
    const FieldPanel& panel = panels[static_cast<size_t>(i)];
    const Range& range = ranges[static_cast<size_t>(i)];
    const Size size = size_of(panel, style.panel_size);
    const int64_t left = kMargin + (i % columns) * (cell.width + kGap);
    const int64_t top = kMargin + heading + (i / columns) * (row_height + kGap);
    draw_text(image, fitted(panel.title, cell.width), left, top, kTitleScale, kInk);
    const int64_t panel_top = top + kTitleHeight + kTitleGap;
    draw_frame(image, left, panel_top, size);
    draw_values(image, panel, range, left, panel_top, size);
    draw_bar(image, panel.map, range, left + size.width + kBarGap, panel_top, size.height);
  }
  return image;
}

}  // namespace roundtrip
