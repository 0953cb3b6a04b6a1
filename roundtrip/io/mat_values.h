#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "roundtrip/io/mat_file.h"
#include "roundtrip/io/mat_stream.h"

namespace roundtrip {

/// How the values of an array lie in a stream: one after the other, first index fastest.
struct MatStored {
  uint32_t type = 0;   // the storage type of level 5
  bool swap = false;   // in the other byte order
  uint64_t begin = 0;  // of the first value in the stream, in bytes
};

inline constexpr uint32_t kMatSingle = 7;
inline constexpr uint32_t kMatDouble = 9;
inline constexpr uint32_t kMatMatrix = 14;
inline constexpr uint32_t kMatCompressed = 15;

/// Bytes of one value of a storage type; 0 for types that store no numbers.
uint32_t mat_value_size(uint32_t type);

/// A number in either byte order.
template <class Stored>
Stored load_mat(const std::byte* at, bool swap) {
  std::array<std::byte, sizeof(Stored)> bytes;
  std::memcpy(bytes.data(), at, sizeof(Stored));
  if (swap) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<Stored>(bytes);
}

/// As MatFile::read_planes.
void read_mat_planes(MatStream& stream, const MatStored& stored, const std::vector<int64_t>& dims,
                     int64_t first, int64_t count, const PlaneSink& sink);

/// As MatFile::read_values.
std::vector<double> read_mat_values(MatStream& stream, const MatStored& stored,
                                    const std::vector<int64_t>& dims);

}  // namespace roundtrip
