#include "roundtrip/io/mat_values.h"

#include <type_traits>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr uint64_t kPiece = uint64_t{1} << 20;  // bytes of file read at a time

template <class Stored, class Out>
void convert_as(const std::byte* from, bool swap, std::span<Out> to) {
  if (to.empty()) return;
  if (std::is_same_v<Stored, Out> && !swap) {
    std::memcpy(to.data(), from, to.size_bytes());
    return;
  }
  for (size_t i = 0; i < to.size(); ++i) {
    to[i] = static_cast<Out>(load_mat<Stored>(from + i * sizeof(Stored), swap));
  }
}

// MATLAB stores an array in the smallest type that holds its values, whatever its class.
template <class Out>
void convert(uint32_t type, const std::byte* from, bool swap, std::span<Out> to) {
  switch (type) {
    case 1:
      return convert_as<int8_t>(from, swap, to);
    case 2:
      return convert_as<uint8_t>(from, swap, to);
    case 3:
      return convert_as<int16_t>(from, swap, to);
    case 4:
      return convert_as<uint16_t>(from, swap, to);
    case 5:
      return convert_as<int32_t>(from, swap, to);
    case 6:
      return convert_as<uint32_t>(from, swap, to);
    case 7:
      return convert_as<float>(from, swap, to);
    case 9:
      return convert_as<double>(from, swap, to);
    case 12:
      return convert_as<int64_t>(from, swap, to);
    case 13:
      return convert_as<uint64_t>(from, swap, to);
    default:
      throw Bug("mat: a storage type that was checked");
  }
}

}  // namespace

uint32_t mat_value_size(uint32_t type) {
  switch (type) {
    case 1:
    case 2:
      return 1;
    case 3:
    case 4:
      return 2;
    case 5:
    case 6:
    case 7:
      return 4;
    case 9:
    case 12:
    case 13:
      return 8;
    default:
      return 0;
  }
}

void read_mat_planes(MatStream& stream, const MatStored& stored, const std::vector<int64_t>& dims,
                     int64_t first, int64_t count, const PlaneSink& sink) {
  ensure(dims.size() == 3 || dims.size() == 4, "mat: an array of planes has 3 or 4 dimensions");
  const uint64_t value = mat_value_size(stored.type);
  const uint64_t column = static_cast<uint64_t>(dims[0]) * value;  // bytes
  const uint64_t columns = static_cast<uint64_t>(dims[1] * dims[2]);
  const auto wanted = static_cast<size_t>(count);
  const uint64_t per_piece = std::max<uint64_t>(1, kPiece / std::max<uint64_t>(1, column));
  std::vector<std::byte> piece;
  std::vector<float> plane(columns * wanted);
  for (int64_t k = 0; k < (dims.size() == 4 ? dims[3] : 1); ++k) {
    for (uint64_t c = 0; c < columns; c += per_piece) {
      const uint64_t now = std::min(per_piece, columns - c);
      // From the first wanted value of the first column to the last of the last.
      const uint64_t begin = stored.begin + (static_cast<uint64_t>(k) * columns + c) * column +
                             static_cast<uint64_t>(first) * value;
      piece.resize((now - 1) * column + wanted * value);
      stream.skip(begin - stream.position());
      stream.read(piece);
      for (uint64_t i = 0; i < now; ++i) {
        convert(stored.type, piece.data() + i * column, stored.swap,
                std::span(plane).subspan((c + i) * wanted, wanted));
      }
    }
    sink(k, plane);
  }
}

std::vector<double> read_mat_values(MatStream& stream, const MatStored& stored,
                                    const std::vector<int64_t>& dims) {
  uint64_t count = 1;
  for (const int64_t extent : dims) count *= static_cast<uint64_t>(extent);
  std::vector<std::byte> raw(count * mat_value_size(stored.type));
  std::vector<double> values(count);
  stream.skip(stored.begin);
  stream.read(raw);
  convert(stored.type, raw.data(), stored.swap, std::span(values));
  return values;
}

}  // namespace roundtrip
