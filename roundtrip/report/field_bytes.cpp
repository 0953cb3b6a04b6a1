#include "roundtrip/report/field_bytes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLevels = FieldBytes::kMissing - 1;  // steps between low and high

// Means over blocks of `block` cells along both axes; what is left over at the far edges makes
// smaller blocks.
std::vector<double> shrink(std::span<const float> values, int64_t nx, int64_t ny, int64_t block) {
  std::vector<double> means;
  for (int64_t left = 0; left < nx; left += block) {
    for (int64_t bottom = 0; bottom < ny; bottom += block) {
      double sum = 0;
      int64_t count = 0;
      for (int64_t x = left; x < std::min(nx, left + block); ++x) {
        for (int64_t y = bottom; y < std::min(ny, bottom + block); ++y) {
          const double value = values[static_cast<size_t>(x * ny + y)];
          if (!std::isfinite(value)) continue;
          sum += value;
          ++count;
        }
      }
      means.push_back(count > 0 ? sum / static_cast<double>(count) : kNan);
    }
  }
  return means;
}

}  // namespace

double FieldBytes::at(int64_t x, int64_t y) const {
  const uint8_t byte = bytes[static_cast<size_t>(x * ny + y)];
  return byte == kMissing ? kNan : low + (high - low) * byte / kLevels;
}

FieldBytes to_field_bytes(std::span<const float> values, int64_t nx, int64_t ny, int64_t longest) {
  ensure(nx > 0 && ny > 0 && longest > 0, "to_field_bytes: sizes are above 0");
  ensure(static_cast<int64_t>(values.size()) == nx * ny, "to_field_bytes: nx * ny values");
  const int64_t block = (std::max(nx, ny) + longest - 1) / longest;
  const std::vector<double> cells = shrink(values, nx, ny, block);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double cell : cells) {
    if (std::isnan(cell)) continue;
    low = std::min(low, cell);
    high = std::max(high, cell);
  }
  if (low > high) low = high = 0;  // nothing finite
  FieldBytes field{
      .nx = (nx + block - 1) / block, .ny = (ny + block - 1) / block, .low = low, .high = high};
  field.bytes.reserve(cells.size());
  for (const double cell : cells) {
    const double step = high > low ? (cell - low) / (high - low) * kLevels : 0;
    field.bytes.push_back(std::isnan(cell) ? FieldBytes::kMissing
                                           : static_cast<uint8_t>(std::lround(step)));
  }
  return field;
}

}  // namespace roundtrip
