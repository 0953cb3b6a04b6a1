#pragma once

#include <cstdint>
#include <string_view>

#include "roundtrip/base/image.h"

namespace roundtrip {

/// Size of text in pixels at scale 1: a letter takes 6 columns with its gap, 7 rows above the
/// baseline and 2 below.
inline constexpr int64_t kGlyphAdvance = 6;
inline constexpr int64_t kGlyphAscent = 7;
inline constexpr int64_t kGlyphHeight = 9;

/// Columns that `text` takes at `scale`, without the gap behind the last letter.
int64_t text_width(std::string_view text, int64_t scale);

/// Draws ASCII text with its top left corner at (column, row); other bytes show as boxes and what
/// lies outside the picture is left out.
void draw_text(Image& image, std::string_view text, int64_t column, int64_t row, int64_t scale,
               Rgb colour);

}  // namespace roundtrip
