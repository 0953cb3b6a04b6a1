#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/io/file_descriptor.h"
#include "roundtrip/io/safetensors_header.h"

namespace roundtrip {

/// A safetensors file open for reading. Opening reads and checks the header only; the bytes of a
/// tensor are read when asked for, so memory is the header plus what the caller holds. Reading is
/// thread-safe. A file that breaks any rule of the format is an Error at opening.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path);

  /// All tensors, in the order of their bytes.
  const std::vector<TensorInfo>& tensors() const { return header_.tensors; }
  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }

  bool contains(std::string_view name) const;
  /// The tensor called `name`; an Error that suggests a near name when there is none.
  const TensorInfo& find(std::string_view name) const;

  /// The raw bytes of a tensor: little-endian, row-major; `out` has tensor.byte_count() bytes.
  void read_bytes(const TensorInfo& tensor, std::span<std::byte> out) const;
  /// The values of a floating-point tensor as float32, row-major; `out` has tensor.elements()
  /// floats. F32, F16 and BF16 are exact, F64 is rounded; an Error for other types.
  void read_floats(const TensorInfo& tensor, std::span<float> out) const;
  /// The same for as many elements as fit `out`, from element `first` on.
  void read_floats(const TensorInfo& tensor, int64_t first, std::span<float> out) const;

  /// Whether `read_numbers` reads the type: all but those of eight-bit floats.
  static bool has_numbers(TensorType type);
  /// Elements from `first` on, as many as fit `out`, of any type that has numbers; exact but for
  /// integers beyond 2^53.
  void read_numbers(const TensorInfo& tensor, int64_t first, std::span<double> out) const;

 private:
  /// Where elements from `first` on lie in the file; our mistake when the tensor has not so many.
  int64_t offset_of(const TensorInfo& tensor, int64_t first, size_t count) const;

  std::string path_;
  FileDescriptor file_;
  uint64_t data_start_ = 0;  // of the first tensor byte in the file
  SafetensorsHeader header_;
};

/// One tensor to write. `bytes` are little-endian and row-major and are not copied.
struct TensorView {
  std::string name;
  TensorType type = TensorType::f32;
  std::vector<int64_t> shape;
  std::span<const std::byte> bytes;
};

/// Writes a safetensors file, whole or not at all. Tensors are ordered as the reference library
/// does (type descending, then name), metadata by key: the same tensors give the same bytes.
void write_safetensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace roundtrip
