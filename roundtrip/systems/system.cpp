#include "roundtrip/systems/system.h"

#include <cmath>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

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

double frame_time(double start, double end, int64_t frames, int64_t frame) {
  if (frame == 0) return start;
  return std::lerp(start, end, static_cast<double>(frame) / static_cast<double>(frames - 1));
}

std::vector<double> frame_times(double start, double end, int64_t frames) {
  std::vector<double> times;
  for (int64_t frame = 0; frame < frames; ++frame) {
    times.push_back(frame_time(start, end, frames, frame));
  }
  return times;
}

void check_frame_times(std::string_view system, double start, double end, int64_t frames) {
  const bool one = frames == 1;
  if (one ? end == start : end > start) return;
  throw Error(std::string(system),
              fmt::format("end_time: expected {} start_time {} with frames {}, found {}",
                          one ? "the same as" : "more than", start, frames, end));
}

RandomStream draws_for(const TrajectoryKey& key, std::string_view purpose, int64_t attempt) {
  return {key.seed, fmt::format("{}/{}/{}", purpose, key.split, attempt),
          static_cast<uint64_t>(key.index)};
}

}  // namespace roundtrip
