#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roundtrip/base/image.h"
#include "roundtrip/report/colour_map.h"

namespace roundtrip {

/// One field as a picture. Values are an array [x, y]: the first axis runs to the right, the second
/// one upwards, as in the equations. Cells are square.
struct FieldPanel {
  std::string title = {};
  int64_t nx = 0;
  int64_t ny = 0;
  std::span<const float> values = {};  // nx * ny, y fastest
  ColourMap map = ColourMap::sequential;
  std::optional<double> low = {};   // colour range; by default the finite values' own,
  std::optional<double> high = {};  // for a diverging map widened to be symmetric about 0
};

/// How panels are put together.
struct FieldImageStyle {
  std::string title = {};  // of the whole picture; none when empty
  int64_t columns = 0;     // panels per row; 0 = as many rows as columns, or one more column
  int64_t panel_size =
      256;  // pixels of a panel's longer side; cells get whole pixels when they fit
};

/// Draws the panels in rows, each with its title and a colour bar that gives the range. Cells that
/// are not finite show in kMissingColour, also when many cells share a pixel (means otherwise).
Image draw_fields(const std::vector<FieldPanel>& panels, const FieldImageStyle& style = {});

}  // namespace roundtrip
