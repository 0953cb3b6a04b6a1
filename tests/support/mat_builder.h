#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <zlib.h>

namespace roundtrip {

/// A level-5 file put together byte by byte.
struct Builder {
  bool big_endian = false;

  template <class T>
  std::string number(T x) const {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &x, sizeof(T));
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }
  std::string header() const {
    std::string text = "MATLAB 5.0 MAT-file, by hand";
    text.resize(124, ' ');
    return text + number(uint16_t{0x0100}) + (big_endian ? "MI" : "IM");
  }
  std::string element(uint32_t type, std::string payload) const {
    std::string bytes = number(type) + number(static_cast<uint32_t>(payload.size())) + payload;
    bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
    return bytes;
  }
  std::string small_element(uint16_t type, std::string payload) const {
    const uint32_t word = static_cast<uint32_t>(payload.size()) << 16 | type;
    payload.resize(4, '\0');
    return number(word) + payload;
  }
  // class 6 is double, 7 single; `values` is a whole element.
  std::string matrix(uint32_t class_index, const std::vector<int32_t>& dims,
                     const std::string& name, const std::string& values) const {
    std::string extents;
    for (const int32_t extent : dims) extents += number(extent);
    const std::string named = name.size() <= 4 ? small_element(1, name) : element(1, name);
    return element(14, element(6, number(class_index) + number(uint32_t{0})) + element(5, extents) +
                           named + values);
  }
  std::string compressed(const std::string& bytes) const {
    std::string packed(compressBound(bytes.size()), '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef*>(packed.data()), &size,
             reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    packed.resize(size);
    // Unlike other elements, compressed ones are not padded.
    return number(uint32_t{15}) + number(static_cast<uint32_t>(packed.size())) + packed;
  }
};

}  // namespace roundtrip
