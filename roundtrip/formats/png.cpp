// libpng's simplified interface: it keeps setjmp inside the library and reports by message.
#include "roundtrip/formats/png.h"

#include <cstring>
#include <string>

#include <fmt/format.h>
#include <png.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

// A header may promise any size; more than this is a mistake, not a picture of ours.
constexpr uint64_t kMaxPixels = uint64_t{1} << 28;

struct PngImage {
  png_image image;

  PngImage() {
    std::memset(&image, 0, sizeof(image));
    image.version = PNG_IMAGE_VERSION;
  }
  ~PngImage() { png_image_free(&image); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;

  [[noreturn]] void fail(const std::filesystem::path& path, const char* action) const {
    throw Error("png", fmt::format("{}: cannot {}: {}", path.string(), action, image.message));
  }
};

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image,
               AtomicFile::IfExists if_exists) {
  if (image.width <= 0 || image.height <= 0) {
    throw Error("png", fmt::format("{}: a picture needs at least one pixel, found {} x {}",
                                   path.string(), image.width, image.height));
  }
  ensure(image.pixels.size() == static_cast<size_t>(3 * image.width * image.height),
         "the bytes of a picture match its size");
  PngImage png;
  png.image.width = static_cast<png_uint_32>(image.width);
  png.image.height = static_cast<png_uint_32>(image.height);
  png.image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png.image);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&png.image, bytes.data(), &size, /*convert_to_8_bit=*/0,
                                 image.pixels.data(), /*row_stride=*/0, /*colormap=*/nullptr)) {
    png.fail(path, "compress");
  }
  write_file(path, {bytes.data(), size}, if_exists);
}

Image read_png(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  PngImage png;
  if (!png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size())) {
    png.fail(path, "read");
  }
  if (uint64_t{png.image.width} * png.image.height > kMaxPixels) {
    throw Error("png", fmt::format("{}: {} x {} pixels; at most {} are read", path.string(),
                                   png.image.width, png.image.height, kMaxPixels));
  }
  png.image.format = PNG_FORMAT_RGB;
  Image image(png.image.width, png.image.height);
  const png_color white = {255, 255, 255};
  if (!png_image_finish_read(&png.image, &white, image.pixels.data(), /*row_stride=*/0,
                             /*colormap=*/nullptr)) {
    png.fail(path, "read");
  }
  return image;
}

}  // namespace roundtrip
