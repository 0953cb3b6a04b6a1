#pragma once

#include <array>
#include <string>
#include <string_view>

#include "roundtrip/base/registry.h"
#include "roundtrip/io/well_schema.h"

namespace roundtrip {

/// How the domain of a field ends along one axis. `mixed`: periodic in part of it only.
enum class Boundary { open, periodic, wall, mixed };

const Registry<ChoiceEntry<Boundary>>& boundaries();

/// Of the two axes of a frame: rows (the first axis), columns.
using FrameBoundaries = std::array<Boundary, 2>;

/// What a Well file says about one of its axes; `open` where it says nothing.
Boundary boundary_along(const WellHeader& header, std::string_view axis);

/// "periodic,open", and back; an Error that names `where` when it is no such text.
std::string boundary_names(const FrameBoundaries& boundary);
FrameBoundaries boundaries_from(std::string_view names, std::string_view where);

}  // namespace roundtrip
