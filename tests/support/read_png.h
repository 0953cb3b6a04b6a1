#pragma once

#include <cstring>
#include <filesystem>
#include <string>

#include <png.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/image.h"

namespace roundtrip {

/// A PNG as libpng reads it, in 8-bit sRGB.
inline Image read_png(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  ensure(png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()), "a PNG file");
  png.format = PNG_FORMAT_RGB;
  Image image(png.width, png.height);
  ensure(png_image_finish_read(&png, /*background=*/nullptr, image.pixels.data(),
                               /*row_stride=*/0, /*colormap=*/nullptr),
         "the pixels of a PNG file");
  return image;
}

}  // namespace roundtrip
