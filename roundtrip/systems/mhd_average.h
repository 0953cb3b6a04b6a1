#pragma once

#include <cstdint>

#include "roundtrip/systems/mhd_solver.h"

namespace roundtrip {

/// `fine` on cells `factor` times as wide, the grid a multiple of `factor` along both axes. A wide
/// cell holds the mean mass, momentum, energy and magnetic field of its factor x factor cells;
/// velocity is mean momentum over mean density, and gas pressure what the mean energy leaves after
/// the energies of that velocity and field. Motion and field within a wide cell therefore count as
/// heat, box totals hold to rounding, and total pressure is gas pressure + B^2/2 of the mean field.
/// A factor of 1 returns `fine` as it is.
MhdFields average_cells(const MhdFields& fine, const MhdGrid& grid, int64_t factor, double gamma);

}  // namespace roundtrip
