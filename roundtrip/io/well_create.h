#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "roundtrip/io/well_schema.h"

namespace roundtrip {

/// Writes a Well file that is complete but for the values of its fields, and closes it. Returns
/// where in the file each of `header.fields` starts: a run of float32 in `stored_shape` order.
/// Equal headers give equal bytes.
std::vector<int64_t> create_well_file(const std::filesystem::path& path, const WellHeader& header);

/// Adds root attributes to such a file; its fields stay where they are.
void add_well_notes(const std::filesystem::path& path, const WellNotes& notes);

}  // namespace roundtrip
