#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "roundtrip/io/hdf5_chunks.h"
#include "roundtrip/io/well_schema.h"

namespace roundtrip {

/// Where the values of a field lie, when they can be read without HDF5: as one run, or in chunks.
struct WellPlace {
  int64_t address = -1;   // in bytes, of one run of float32
  hdf5::ChunkMap chunks;  // empty when they are not in chunks
  std::string type;       // of the stored numbers: "float32", "int16"
};

/// What a reader needs to know of a file.
struct WellContents {
  WellHeader header;
  std::vector<WellPlace> places;  // of each field's values
  std::vector<double> times;      // [trajectory, frame] when they vary over trajectories
};

/// Reads it by HDF5 in this process, which a damaged file may crash.
WellContents read_well_contents(const std::filesystem::path& path);

}  // namespace roundtrip
