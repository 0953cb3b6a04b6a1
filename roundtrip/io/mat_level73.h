#pragma once

#include <filesystem>
#include <memory>

#include "roundtrip/io/mat_file.h"

namespace roundtrip {

/// Opens a level-7.3 file: HDF5 behind a 512-byte header. HDF5 lists dimensions slowest first, so
/// they are MATLAB's reversed; the order of the values is the same. A file that HDF5 crashes on
/// is an Error, now or when values are read.
std::unique_ptr<MatFile> open_mat_level73(const std::filesystem::path& path);

}  // namespace roundtrip
