#pragma once

#include <filesystem>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/image.h"

namespace roundtrip {

/// Writes an 8-bit sRGB PNG, atomically; the same picture gives the same bytes.
void write_png(const std::filesystem::path& path, const Image& image,
               AtomicFile::IfExists if_exists = AtomicFile::IfExists::replace);

/// Reads any PNG as 8-bit sRGB; transparent parts are put on white.
Image read_png(const std::filesystem::path& path);

}  // namespace roundtrip
