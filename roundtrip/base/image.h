#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roundtrip {

/// A colour in sRGB, 8 bits a channel.
struct Rgb {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
  bool operator==(const Rgb&) const = default;
};

/// A picture: sRGB bytes [row, column, 3], the top row first, no padding.
struct Image {
  int64_t width = 0;
  int64_t height = 0;
  std::vector<uint8_t> pixels;

  Image() = default;
  Image(int64_t columns, int64_t rows, Rgb fill = {})
      : width(columns), height(rows), pixels(static_cast<size_t>(3 * columns * rows)) {
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t column = 0; column < columns; ++column) set(column, row, fill);
    }
  }

  size_t offset(int64_t column, int64_t row) const {
    return static_cast<size_t>(3 * (row * width + column));
  }
  Rgb at(int64_t column, int64_t row) const {
    const size_t i = offset(column, row);
    return {pixels[i], pixels[i + 1], pixels[i + 2]};
  }
  void set(int64_t column, int64_t row, Rgb colour) {
    const size_t i = offset(column, row);
    pixels[i] = colour.red;
    pixels[i + 1] = colour.green;
    pixels[i + 2] = colour.blue;
  }
  bool operator==(const Image&) const = default;
};

}  // namespace roundtrip
