#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roundtrip {

/// Element types, in the reference library's order (ascending alignment).
enum class TensorType {
  boolean,
  u8,
  i8,
  f8_e5m2,
  f8_e4m3,
  i16,
  u16,
  f16,
  bf16,
  i32,
  u32,
  f32,
  f64,
  i64,
  u64
};

/// The type's name in a header: "F32".
std::string_view type_name(TensorType type);
/// Bytes of one element.
int64_t element_size(TensorType type);

/// One entry of a header.
struct TensorInfo {
  std::string name;
  TensorType type = TensorType::f32;
  std::vector<int64_t> shape;  // outermost first; empty for a scalar
  uint64_t begin = 0;          // offsets of its bytes, from the end of the header
  uint64_t end = 0;

  int64_t elements() const;
  uint64_t byte_count() const { return end - begin; }
};

/// What a safetensors header says.
struct SafetensorsHeader {
  std::vector<TensorInfo> tensors;  // in the order of their bytes
  std::map<std::string, std::string> metadata;
};

/// The longest header the format allows, in bytes.
inline constexpr uint64_t kMaxSafetensorsHeader = 100'000'000;

/// Parses the JSON of a header and checks it against the `data_size` bytes that follow it in the
/// file: every tensor's bytes fit its shape and type, and together they cover the data with neither
/// hole nor overlap. `where` names the file in Errors.
SafetensorsHeader parse_safetensors_header(std::string_view json, uint64_t data_size,
                                           const std::string& where);

/// The JSON of a header, padded with spaces to a multiple of 8 bytes.
std::string format_safetensors_header(const SafetensorsHeader& header);

}  // namespace roundtrip
