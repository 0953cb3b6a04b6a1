#include "roundtrip/data/boundary.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

std::string_view name_of(Boundary boundary) {
  return std::ranges::find(boundaries(), boundary, &ChoiceEntry<Boundary>::value)->name;
}

}  // namespace

const Registry<ChoiceEntry<Boundary>>& boundaries() {
  static const Registry<ChoiceEntry<Boundary>> rows = {
      {"open", "what leaves does not come back", Boundary::open},
      {"periodic", "the two ends are neighbours", Boundary::periodic},
      {"wall", "a wall at one end or both", Boundary::wall},
      {"mixed", "periodic in part of the axis only", Boundary::mixed},
  };
  return rows;
}

Boundary boundary_along(const WellHeader& header, std::string_view axis) {
  bool periodic = false, open = false, wall = false;
  for (const WellBoundary& boundary : header.boundaries) {
    if (std::ranges::find(boundary.axes, axis) == boundary.axes.end()) continue;
    (boundary.type == "PERIODIC" ? periodic : boundary.type == "WALL" ? wall : open) = true;
  }
  if (periodic) return open || wall ? Boundary::mixed : Boundary::periodic;
  return wall ? Boundary::wall : Boundary::open;
}

std::string boundary_names(const FrameBoundaries& boundary) {
  return fmt::format("{},{}", name_of(boundary[0]), name_of(boundary[1]));
}

FrameBoundaries boundaries_from(std::string_view names, std::string_view where) {
  const size_t comma = names.find(',');
  if (comma == std::string_view::npos) {
    throw Error(where,
                fmt::format("boundary: expected two words, \"periodic,open\", found {}", names));
  }
  return {find_entry(boundaries(), where, names.substr(0, comma)).value,
          find_entry(boundaries(), where, names.substr(comma + 1)).value};
}

}  // namespace roundtrip
