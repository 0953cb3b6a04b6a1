// libpng's simplified interface: it keeps setjmp inside the library and reports by message.
#include "roundtrip/io/png.h"

#include <cstring>
#include <string>

#include <fmt/format.h>
#include <png.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
void write_png(const std::filesystem::path& path, const Image& image,
               AtomicFile::IfExists if_exists) {
  if (image.width <= 0 || image.height <= 0) {
    throw Error("png", fmt::format("{}: a picture needs at least one pixel, found {} x {}",
                                   path.string(), image.width, image.height));
  }
  ensure(image.pixels.size() == static_cast<size_t>(3 * image.width * image.height),
         "the bytes of a picture match its size");
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  // libpng frees what it took, also when it fails.
  if (!png_image_write_to_memory(&png, bytes.data(), &size, /*convert_to_8_bit=*/0,
                                 image.pixels.data(), /*row_stride=*/0, /*colormap=*/nullptr)) {
    throw Error("png", fmt::format("{}: cannot compress: {}", path.string(), png.message));
  }
  write_file(path, {bytes.data(), size}, if_exists);
}

}  // namespace roundtrip
