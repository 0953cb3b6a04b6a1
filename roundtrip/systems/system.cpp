#include "roundtrip/systems/system.h"

#include <fmt/format.h>

namespace roundtrip {

int64_t DatasetLayout::channels() const {
  int64_t count = 0;
  for (const FieldSpec& field : fields) count += field.components;
  return count;
}

int64_t DatasetLayout::frame_size() const {
  int64_t size = channels();
  for (const AxisSpec& axis : axes) size *= static_cast<int64_t>(axis.coordinates.size());
  return size;
}

RandomStream draws_for(const TrajectoryKey& key, std::string_view purpose, int64_t attempt) {
  return {key.seed, fmt::format("{}/{}/{}", purpose, key.split, attempt),
          static_cast<uint64_t>(key.index)};
}

}  // namespace roundtrip
