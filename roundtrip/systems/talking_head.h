#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/systems/system.h"

namespace roundtrip {

/// A stand-in for face video such as CelebV-HQ: a procedural head that moves, looks around, blinks
/// and talks. Frames are RGB [3, row, column] in 0..1 (sRGB), the top row first. Trajectory i of a
/// split shows identity i / clips_per_identity of that split, so that splits are identity-disjoint.
std::unique_ptr<System> make_talking_head(std::string_view preset,
                                          const std::vector<std::string>& overrides);

}  // namespace roundtrip
