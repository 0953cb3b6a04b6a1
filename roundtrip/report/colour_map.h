#pragma once

#include <array>
#include <span>

#include "roundtrip/base/image.h"

namespace roundtrip {

/// Maps whose lightness tells the value, also in grey and to colour-blind eyes.
enum class ColourMap {
  sequential,  // viridis: dark blue (low) to yellow (high)
  diverging,   // blue (low) over near-white (middle) to red (high), equally dark at both ends
};

/// Where there is no number; in neither map.
inline constexpr Rgb kMissingColour = {232, 62, 160};

/// The colour at `position`, 0 = low to 1 = high; outside is clamped, NaN is kMissingColour.
Rgb colour_at(ColourMap map, double position);

/// The map for a field: diverging when it takes both signs; what is not finite does not count.
ColourMap map_for(std::span<const float> values);

/// The map at 256 equal steps from 0 to 1.
std::array<Rgb, 256> colour_table(ColourMap map);

}  // namespace roundtrip
