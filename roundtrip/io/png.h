#pragma once

#include <filesystem>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/image.h"

namespace roundtrip {

/// Writes an 8-bit sRGB PNG, atomically; the same picture gives the same bytes.
void write_png(const std::filesystem::path& path, const Image& image,
               AtomicFile::IfExists if_exists = AtomicFile::IfExists::replace);

}  // namespace roundtrip
