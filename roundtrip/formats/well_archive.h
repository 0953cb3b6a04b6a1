#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/formats/well_schema.h"

namespace roundtrip {

/// What a reader needs to know of a file.
struct WellContents {
  WellHeader header;
  std::vector<int64_t> addresses;  // of each field's values, -1 where HDF5 must read them
  std::vector<double> times;       // [trajectory, frame] when they vary over trajectories
};

/// As bytes for another process of the same build, and back.
std::string pack(const std::vector<WellContents>& files);
std::vector<WellContents> unpack(std::string_view bytes);

}  // namespace roundtrip
