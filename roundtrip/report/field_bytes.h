#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace roundtrip {

/// A field small enough to send: one byte a cell, equal steps from `low` (byte 0) to `high` (byte
/// 254); kMissing marks cells without a number. Values are an array [x, y], y fastest.
struct FieldBytes {
  static constexpr uint8_t kMissing = 255;

  int64_t nx = 0;
  int64_t ny = 0;
  double low = 0;
  double high = 0;
  std::vector<uint8_t> bytes = {};  // nx * ny

  /// The value behind a cell's byte; NaN where it is missing.
  double at(int64_t x, int64_t y) const;
  bool operator==(const FieldBytes&) const = default;
};

/// Quantises nx * ny values over their own finite range. Fields whose longer side exceeds `longest`
/// are shrunk by means over whole blocks of cells (without those not finite).
FieldBytes to_field_bytes(std::span<const float> values, int64_t nx, int64_t ny,
                          int64_t longest = 64);

}  // namespace roundtrip
