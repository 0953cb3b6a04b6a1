#pragma once

#include <string>

#include "roundtrip/io/well_schema.h"

namespace roundtrip {

/// A header to write in the likeness of one that was read.
struct WellLikeness {
  WellHeader header;    // without notes
  std::string changes;  // what is not as in the data, in one line; empty when all is
};

/// Files are read with times, coordinates, boundaries and scalars per trajectory or frame, but not
/// written so: times and coordinates become the first trajectory's, the others are left out. An
/// Error, which begins with `where`, when the names of the fields cannot be written.
WellLikeness writable_likeness(WellHeader header, const std::string& where);

}  // namespace roundtrip
