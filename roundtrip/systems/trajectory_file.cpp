#include "roundtrip/systems/trajectory_file.h"

#include <algorithm>
#include <cmath>

#include "roundtrip/base/error.h"
#include "roundtrip/base/image.h"
#include "roundtrip/io/video_writer.h"
#include "roundtrip/io/well_writer.h"

namespace roundtrip {
namespace {

// One boundary where both ends are alike, otherwise one for each end.
void add_boundaries(const WellAxis& axis, const AxisSpec& spec, std::vector<WellBoundary>& out) {
  out.push_back(boundary_of(axis, spec.boundary));
  if (spec.lower_boundary.empty() || spec.lower_boundary == spec.boundary) return;
  out.back().mask.front() = 0;
  out.push_back(boundary_of(axis, spec.lower_boundary));
  out.back().mask.back() = 0;
}

WellHeader well_header(const DatasetLayout& layout, int64_t trajectories,
                       const std::string& provenance) {
  WellHeader header;
  header.dataset_name = layout.dataset_name;
  header.n_trajectories = trajectories;
  header.parameters = layout.parameters;
  header.time.coordinates = layout.times;
  for (const AxisSpec& axis : layout.axes) {
    header.axes.push_back({.name = axis.name, .coordinates = axis.coordinates});
  }
  for (size_t i = 0; i < layout.axes.size(); ++i) {
    add_boundaries(header.axes[i], layout.axes[i], header.boundaries);
  }
  for (const FieldSpec& field : layout.fields) {
    header.fields.push_back({.name = field.name, .order = field.components > 1 ? 1 : 0});
  }
  header.notes = layout.notes;
  header.notes.emplace_back("provenance", provenance);
  return header;
}

class WellTrajectories : public TrajectoryFile {
 public:
  WellTrajectories(const std::filesystem::path& path, WellHeader header)
      : writer_(path, std::move(header)) {}
  void write_frame(int64_t slot, int64_t frame, std::span<const float> values) override {
    writer_.write_frame(slot, frame, values);
  }
  void finish(int64_t redraws) override { writer_.finish({{"redraws", std::to_string(redraws)}}); }

 private:
  WellWriter writer_;
};

// A video takes its frames in order; each clip is one trajectory, so one thread writes it.
class ClipFile : public TrajectoryFile {
 public:
  ClipFile(const std::filesystem::path& path, const DatasetLayout& layout)
      : height_(static_cast<int64_t>(layout.axes.at(0).coordinates.size())),
        width_(static_cast<int64_t>(layout.axes.at(1).coordinates.size())),
        writer_(path, {.width = width_, .height = height_, .rate = frame_rate(layout)}) {}

  void write_frame(int64_t, int64_t frame, std::span<const float> values) override {
    ensure(frame == next_frame_, "a clip's frames come in order");
    ++next_frame_;
    Image image(width_, height_);
    const int64_t plane = width_ * height_;
    for (int64_t i = 0; i < plane; ++i) {
      for (int64_t channel = 0; channel < 3; ++channel) {
        const float value = std::clamp(values[channel * plane + i], 0.0F, 1.0F);
        image.pixels[3 * i + channel] = static_cast<uint8_t>(std::lround(255 * value));
      }
    }
    writer_.write(image);
  }
  void finish(int64_t /*redraws*/) override { writer_.finish(); }

 private:
  static double frame_rate(const DatasetLayout& layout) {
    const auto& times = layout.times;
    return times.size() < 2 ? 25
                            : static_cast<double>(times.size() - 1) / (times.back() - times[0]);
  }

  int64_t height_;
  int64_t width_;
  VideoWriter writer_;
  int64_t next_frame_ = 0;
};

}  // namespace

std::unique_ptr<TrajectoryFile> open_trajectory_file(const System& system, const DataFile& file,
                                                     const std::filesystem::path& folder,
                                                     const std::string& provenance) {
  const DatasetLayout layout = system.layout(file.group);
  if (system.storage() == "video") {
    return std::make_unique<ClipFile>(folder / file.path, layout);
  }
  const auto count = static_cast<int64_t>(file.trajectories.size());
  return std::make_unique<WellTrajectories>(folder / file.path,
                                            well_header(layout, count, provenance));
}

}  // namespace roundtrip
