// A level-5 file is a 128-byte header and one element per variable, an element a tag (type, length)
// and its bytes. A matrix element holds the elements flags, dimensions, name and values; a
// compressed one holds a deflated matrix element. "MAT-File Format", The MathWorks, chapter 1.
//
// Written by hand rather than left to a library: windows of a large array are read without its
// other trajectories in memory, and every length is checked before it is believed.
#include "roundtrip/io/mat_level5.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/io/mat_stream.h"
#include "roundtrip/io/mat_values.h"

namespace roundtrip {
namespace {

constexpr uint64_t kHeaderSize = 128;
constexpr uint32_t kMostDims = 32;
constexpr uint32_t kMostNameBytes = 1024;

constexpr const char* kClassNames[] = {
    "?",     "cell",  "struct", "object", "char",   "sparse", "double", "single",   "int8",
    "uint8", "int16", "uint16", "int32",  "uint32", "int64",  "uint64", "function", "opaque"};

// Where a variable's values are.
struct Place {
  uint64_t offset = 0;  // of the element's first byte behind its tag
  uint64_t size = 0;    // of the element
  bool compressed = false;
  uint64_t values = 0;   // of the first value, in the (inflated) element
  uint32_t storage = 0;  // type of the values
};

struct Tag {
  uint32_t type = 0;
  uint32_t bytes = 0;
  bool small = false;  // up to four bytes that stand in the tag itself:
  std::array<std::byte, 4> inside = {};
};

class Level5 : public MatFile {
 public:
  Level5(FileDescriptor file, uint64_t size, std::string where)
      : file_(std::move(file)), where_(std::move(where)) {
    read_header(size);
    uint64_t offset = kHeaderSize;
    while (offset < size) {
      stop_if_interrupted();
      offset = read_variable(offset, size);
    }
  }

  const std::vector<MatVariable>& variables() const override { return variables_; }

  void read_planes(const MatVariable& variable, int64_t first, int64_t count,
                   const PlaneSink& sink) const override {
    const Place& place = place_of(variable);
    const auto stream = stream_at(place);
    read_mat_planes(*stream, stored_at(place), variable.dims, first, count, sink);
    stream->finish();
  }

  std::vector<double> read_values(const MatVariable& variable) const override {
    const Place& place = place_of(variable);
    const auto stream = stream_at(place);
    std::vector<double> values = read_mat_values(*stream, stored_at(place), variable.dims);
    stream->finish();
    return values;
  }

 private:
  [[noreturn]] void fail(const std::string& where, const std::string& what) const {
    throw Error("mat", fmt::format("{}: {}; the file is cut short, damaged or no MAT file of level "
                                   "5 or 7.3",
                                   where, what));
  }

  void read_header(uint64_t size) {
    if (size < kHeaderSize) {
      fail(where_, fmt::format("expected a header of 128 bytes, found {}", size));
    }
    std::array<std::byte, 4> mark;
    file_.read_at(124, mark.data(), 4);
    const char first = static_cast<char>(mark[2]);
    const char second = static_cast<char>(mark[3]);
    if (!(first == 'I' && second == 'M') && !(first == 'M' && second == 'I')) {
      fail(where_, "expected the mark MI or IM at byte 126, found another");
    }
    // Written as the characters 'M' 'I' of one 16-bit number: as bytes, little-endian is "IM".
    swap_ = (first == 'I') != (std::endian::native == std::endian::little);
    const auto version = load_mat<uint16_t>(mark.data(), swap_);
    if (version != 0x0100) {
      fail(where_, fmt::format("expected version 0x0100 at byte 124, found {:#06x}", version));
    }
  }

  uint32_t load_word(const std::byte* at) const { return load_mat<uint32_t>(at, swap_); }

  // Reads one variable's element and returns where the next begins.
  uint64_t read_variable(uint64_t offset, uint64_t size) {
    const std::string where = fmt::format("{}: variable at byte {}", where_, offset);
    std::array<std::byte, 8> tag;
    if (size - offset < tag.size()) fail(where, fmt::format("found {} bytes", size - offset));
    file_.read_at(static_cast<int64_t>(offset), tag.data(), tag.size());
    const uint32_t type = load_word(tag.data());
    Place place{.offset = offset + tag.size(), .size = load_word(tag.data() + 4)};
    place.compressed = type == kMatCompressed;
    if (type != kMatMatrix && type != kMatCompressed) {
      fail(where, fmt::format("expected an array (type 14 or 15), found type {}", type));
    }
    if (place.size > size - place.offset) {
      fail(where, fmt::format("expected {} bytes, found {}", place.size, size - place.offset));
    }
    const auto stream = stream_at(place);
    uint32_t matrix_size = static_cast<uint32_t>(place.size);
    if (place.compressed) {
      const Tag inner = read_tag(*stream, where);
      if (inner.type != kMatMatrix || inner.small) {
        fail(where, fmt::format("expected a compressed array, found type {}", inner.type));
      }
      matrix_size = inner.bytes;
      stream->set_end(stream->position() + matrix_size);
    }
    if (matrix_size > 0) read_matrix(*stream, place, where);
    return place.offset + place.size;
  }

  // Reads flags, dimensions and name; checks that the values have the size the dimensions ask for.
  void read_matrix(MatStream& stream, Place place, const std::string& where) {
    const std::vector<std::byte> flags = read_element(stream, /*type=*/6, 8, "flags", where);
    if (flags.size() != 8) fail(where, "expected 8 bytes of flags");
    const uint32_t word = load_word(flags.data());
    const uint32_t class_index = word & 0xff;
    const bool is_complex = (word & 0x0800) != 0;
    if (class_index == 0 || class_index >= std::size(kClassNames)) {
      fail(where, fmt::format("expected a class from 1 to 17, found {}", class_index));
    }
    MatVariable variable;
    variable.type = kClassNames[class_index];
    const bool is_opaque = class_index == 17;
    if (!is_opaque) variable.dims = read_dims(stream, where);
    const std::vector<std::byte> name =
        read_element(stream, /*type=*/1, kMostNameBytes, "name", where);
    variable.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
    if (!names_.insert(variable.name).second) {
      fail(where, fmt::format("a second variable called {}", variable.shown()));
    }
    if (is_complex) variable.type = "complex " + variable.type;
    if (variable.is_floating()) place_values(stream, variable, place, where);
    variables_.push_back(std::move(variable));
    places_.push_back(place);
  }

  std::vector<int64_t> read_dims(MatStream& stream, const std::string& where) const {
    const std::vector<std::byte> bytes =
        read_element(stream, /*type=*/5, 4 * kMostDims, "dimensions", where);
    if (bytes.size() % 4 != 0 || bytes.size() < 8) fail(where, "expected two or more dimensions");
    std::vector<int64_t> dims;
    for (size_t i = 0; i < bytes.size(); i += 4) {
      dims.push_back(load_mat<int32_t>(bytes.data() + i, swap_));
      if (dims.back() < 0) fail(where, fmt::format("a dimension of {}", dims.back()));
    }
    return dims;
  }

  void place_values(MatStream& stream, const MatVariable& variable, Place& place,
                    const std::string& where) const {
    const Tag tag = read_tag(stream, where);
    place.storage = tag.type;
    place.values = tag.small ? stream.position() - 4 : stream.position();
    uint64_t bytes = mat_value_size(tag.type);
    if (bytes == 0) fail(where, fmt::format("expected numbers, found storage type {}", tag.type));
    bool counted = true;
    for (const int64_t extent : variable.dims) {
      counted = counted && !__builtin_mul_overflow(bytes, static_cast<uint64_t>(extent), &bytes);
    }
    if (!counted || bytes != tag.bytes) {
      fail(where, fmt::format("{}: found {} bytes of values of {} bytes each", variable.shown(),
                              tag.bytes, mat_value_size(tag.type)));
    }
    // Asks for the room without reading: the values themselves wait until they are wanted.
    if (!tag.small) stream.expect_room(tag.bytes);
  }

  Tag read_tag(MatStream& stream, const std::string& where) const {
    std::array<std::byte, 8> bytes;
    stream.read(bytes);
    const uint32_t word = load_word(bytes.data());
    Tag tag{.type = word, .bytes = load_word(bytes.data() + 4)};
    if (word >> 16 == 0) return tag;
    tag = {.type = word & 0xffff, .bytes = word >> 16, .small = true};
    if (tag.bytes > tag.inside.size()) fail(where, fmt::format("{} bytes in a tag", tag.bytes));
    std::copy(bytes.begin() + 4, bytes.end(), tag.inside.begin());
    return tag;
  }

  // The bytes of a short element of the given type; its padding is skipped.
  std::vector<std::byte> read_element(MatStream& stream, uint32_t type, uint32_t most,
                                      const char* what, const std::string& where) const {
    const Tag tag = read_tag(stream, where);
    if (tag.type != type || tag.bytes > most) {
      fail(where, fmt::format("{}: expected type {} and at most {} bytes, found type {} and {}",
                              what, type, most, tag.type, tag.bytes));
    }
    if (tag.small) return {tag.inside.begin(), tag.inside.begin() + tag.bytes};
    std::vector<std::byte> payload(tag.bytes);
    stream.read(payload);
    stream.skip((8 - tag.bytes % 8) % 8);
    return payload;
  }

  std::unique_ptr<MatStream> stream_at(const Place& place) const {
    const std::string where = fmt::format("{}: variable at byte {}", where_, place.offset - 8);
    return place.compressed ? inflating_stream(file_, place.offset, place.size, where)
                            : plain_stream(file_, place.offset, place.size, where);
  }

  MatStored stored_at(const Place& place) const {
    return {.type = place.storage, .swap = swap_, .begin = place.values};
  }

  const Place& place_of(const MatVariable& variable) const {
    for (size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i].name == variable.name && variables_[i].is_floating()) return places_[i];
    }
    throw Bug("mat: a floating-point variable of this file");
  }

  FileDescriptor file_;
  std::string where_;
  bool swap_ = false;  // the file has the other byte order
  std::vector<MatVariable> variables_;
  std::set<std::string> names_;
  std::vector<Place> places_;  // of the variable with the same index
};

}  // namespace

std::unique_ptr<MatFile> open_mat_level5(FileDescriptor file, uint64_t size, std::string where) {
  return std::make_unique<Level5>(std::move(file), size, std::move(where));
}

}  // namespace roundtrip
