#include "roundtrip/io/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"
#include "roundtrip/io/float16.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

static_assert(std::endian::native == std::endian::little, "tensor bytes are used as they are");

constexpr uint64_t kLengthField = 8;  // bytes in front of the header

uint64_t size_of_regular_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    throw Error(
        "safetensors",
        fmt::format("{}: expected a safetensors file, found {}; check the path", path.string(),
                    fs::exists(path, error) ? "no regular file" : "nothing"));
  }
  return fs::file_size(path);
}

// The header's length, from the first bytes of the file.
uint64_t read_header_length(const FileDescriptor& file, uint64_t file_size, const fs::path& path) {
  const auto refuse = [&](const std::string& what) {
    throw Error("safetensors", fmt::format("{}: {}; the file is cut short or not safetensors",
                                           path.string(), what));
  };
  if (file_size < kLengthField) {
    refuse(fmt::format("expected at least 8 bytes, found {}", file_size));
  }
  uint64_t length = 0;
  file.read_at(0, &length, kLengthField);
  if (length > kMaxSafetensorsHeader) {
    refuse(fmt::format("header of {} bytes, the format allows {}", length, kMaxSafetensorsHeader));
  }
  if (length > file_size - kLengthField) {
    refuse(fmt::format("header of {} bytes in a file of {}", length, file_size));
  }
  return length;
}

// Reads elements of type Stored in blocks and converts each.
template <class Stored, class Value, class Convert>
void read_converted(const FileDescriptor& file, int64_t offset, std::span<Value> out,
                    Convert convert) {
  constexpr size_t kBlock = 1 << 16;
  std::vector<Stored> block(std::min(kBlock, out.size()));
  for (size_t first = 0; first < out.size(); first += kBlock) {
    const size_t count = std::min(kBlock, out.size() - first);
    file.read_at(offset + static_cast<int64_t>(first * sizeof(Stored)), block.data(),
                 static_cast<int64_t>(count * sizeof(Stored)));
    std::transform(block.begin(), block.begin() + static_cast<ptrdiff_t>(count),
                   out.begin() + static_cast<ptrdiff_t>(first), convert);
  }
}

template <class Stored>
void read_as_doubles(const FileDescriptor& file, int64_t offset, std::span<double> out) {
  read_converted<Stored>(file, offset, out, [](Stored x) { return static_cast<double>(x); });
}

// The header of tensors laid out one after the other in the given order.
SafetensorsHeader lay_out(std::span<const TensorView* const> tensors) {
  SafetensorsHeader header;
  std::set<std::string_view> names;
  uint64_t offset = 0;
  for (const TensorView* tensor : tensors) {
    ensure(tensor->name != "__metadata__" && names.insert(tensor->name).second,
           fmt::format("safetensors: tensor name {} taken twice or reserved", tensor->name));
    TensorInfo info{.name = tensor->name, .type = tensor->type, .shape = tensor->shape};
    info.begin = offset;
    info.end = offset + tensor->bytes.size();
    ensure(info.elements() * element_size(info.type) == static_cast<int64_t>(info.byte_count()),
           fmt::format("safetensors: tensor {} has {} bytes", info.name, info.byte_count()));
    offset = info.end;
    header.tensors.push_back(std::move(info));
  }
  return header;
}

}  // namespace

SafetensorsFile::SafetensorsFile(const fs::path& path) : path_(path.string()) {
  const uint64_t file_size = size_of_regular_file(path);
  file_ = FileDescriptor(path, O_RDONLY);
  const uint64_t length = read_header_length(file_, file_size, path);
  std::string text(length, '\0');
  file_.read_at(kLengthField, text.data(), static_cast<int64_t>(length));
  data_start_ = kLengthField + length;
  header_ = parse_safetensors_header(text, file_size - data_start_, path_);
}

bool SafetensorsFile::contains(std::string_view name) const {
  return std::any_of(tensors().begin(), tensors().end(),
                     [&](const TensorInfo& tensor) { return tensor.name == name; });
}

const TensorInfo& SafetensorsFile::find(std::string_view name) const {
  for (const TensorInfo& tensor : tensors()) {
    if (tensor.name == name) return tensor;
  }
  std::vector<std::string> names;
  for (const TensorInfo& tensor : tensors()) names.push_back(tensor.name);
  const std::string near = nearest_name(name, names);
  throw Error("safetensors",
              fmt::format("{}: no tensor {} among {}{}", path_, name, names.size(),
                          near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

void SafetensorsFile::read_bytes(const TensorInfo& tensor, std::span<std::byte> out) const {
  ensure(out.size() == tensor.byte_count(), "safetensors: the buffer has the tensor's size");
  file_.read_at(static_cast<int64_t>(data_start_ + tensor.begin), out.data(),
                static_cast<int64_t>(out.size()));
}

void SafetensorsFile::read_floats(const TensorInfo& tensor, std::span<float> out) const {
  ensure(static_cast<int64_t>(out.size()) == tensor.elements(),
         "safetensors: the buffer has the tensor's size");
  read_floats(tensor, 0, out);
}

void SafetensorsFile::read_floats(const TensorInfo& tensor, int64_t first,
                                  std::span<float> out) const {
  const int64_t offset = offset_of(tensor, first, out.size());
  switch (tensor.type) {
    case TensorType::f32:
      return file_.read_at(offset, out.data(), static_cast<int64_t>(out.size_bytes()));
    case TensorType::f16:
      return read_converted<uint16_t>(file_, offset, out, half_to_float);
    case TensorType::bf16:
      return read_converted<uint16_t>(file_, offset, out, bfloat16_to_float);
    case TensorType::f64:
      return read_converted<double>(file_, offset, out,
                                    [](double value) { return static_cast<float>(value); });
    default:
      throw Error("safetensors",
                  fmt::format("{}: tensor {}: expected F32, F64, F16 or BF16, found {}", path_,
                              tensor.name, type_name(tensor.type)));
  }
}

bool SafetensorsFile::has_numbers(TensorType type) {
  return type != TensorType::f8_e5m2 && type != TensorType::f8_e4m3;
}

void SafetensorsFile::read_numbers(const TensorInfo& tensor, int64_t first,
                                   std::span<double> out) const {
  const int64_t offset = offset_of(tensor, first, out.size());
  switch (tensor.type) {
    case TensorType::boolean:
    case TensorType::u8:
      return read_as_doubles<uint8_t>(file_, offset, out);
    case TensorType::i8:
      return read_as_doubles<int8_t>(file_, offset, out);
    case TensorType::i16:
      return read_as_doubles<int16_t>(file_, offset, out);
    case TensorType::u16:
      return read_as_doubles<uint16_t>(file_, offset, out);
    case TensorType::f16:
      return read_converted<uint16_t>(file_, offset, out, half_to_float);
    case TensorType::bf16:
      return read_converted<uint16_t>(file_, offset, out, bfloat16_to_float);
    case TensorType::i32:
      return read_as_doubles<int32_t>(file_, offset, out);
    case TensorType::u32:
      return read_as_doubles<uint32_t>(file_, offset, out);
    case TensorType::f32:
      return read_as_doubles<float>(file_, offset, out);
    case TensorType::f64:
      return read_as_doubles<double>(file_, offset, out);
    case TensorType::i64:
      return read_as_doubles<int64_t>(file_, offset, out);
    case TensorType::u64:
      return read_as_doubles<uint64_t>(file_, offset, out);
    default:
      throw Error(
          "safetensors",
          fmt::format("{}: tensor {}: expected integers or floats of 16 bits or more, found "
                      "{}",
                      path_, tensor.name, type_name(tensor.type)));
  }
}

int64_t SafetensorsFile::offset_of(const TensorInfo& tensor, int64_t first, size_t count) const {
  ensure(first >= 0 && static_cast<int64_t>(count) <= tensor.elements() - first,
         "safetensors: elements of the tensor");
  return static_cast<int64_t>(data_start_ + tensor.begin) + first * element_size(tensor.type);
}

void write_safetensors(const fs::path& path, std::span<const TensorView> tensors,
                       const std::map<std::string, std::string>& metadata) {
  std::vector<const TensorView*> ordered;
  for (const TensorView& tensor : tensors) ordered.push_back(&tensor);
  // Descending types put the widest elements first, so that every tensor is aligned to its own.
  std::sort(ordered.begin(), ordered.end(), [](const TensorView* a, const TensorView* b) {
    return std::tie(b->type, a->name) < std::tie(a->type, b->name);
  });
  SafetensorsHeader header = lay_out(ordered);
  header.metadata = metadata;
  const std::string text = format_safetensors_header(header);
  const auto length = std::bit_cast<std::array<char, kLengthField>>(uint64_t{text.size()});

  AtomicFile file(path);
  {
    std::ofstream out(file.temporary(), std::ios::binary);
    out.write(length.data(), length.size());
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    for (const TensorView* tensor : ordered) {
      out.write(reinterpret_cast<const char*>(tensor->bytes.data()),
                static_cast<std::streamsize>(tensor->bytes.size()));
    }
    out.close();
    if (!out) {
      throw Error("safetensors",
                  fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
    }
  }
  file.commit();
}

}  // namespace roundtrip
