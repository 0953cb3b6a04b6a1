#include "roundtrip/cli/field_picture.h"

#include <span>
#include <vector>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/png.h"
#include "roundtrip/io/well_reader.h"
#include "roundtrip/report/field_image.h"

namespace roundtrip {
namespace {

void check_range(const char* option, int64_t found, int64_t count, const std::string& file) {
  if (found >= 0 && found < count) return;
  throw Error("inspect",
              fmt::format("{}: expected 0 to {} for {}, found {}", option, count - 1, file, found));
}

// The frame asked for, counted from the first.
int64_t frame_asked(const WellHeader& header, const std::string& file,
                    const PictureRequest& request) {
  if (header.axes.size() != 2) {
    throw Error("inspect", fmt::format("--picture {}: expected fields on two axes, found {}", file,
                                       header.axes.size()));
  }
  const int64_t frame = request.frame < 0 ? header.frames() + request.frame : request.frame;
  check_range("--trajectory", request.trajectory, header.n_trajectories, file);
  check_range("--frame", frame, header.frames(), file);
  return frame;
}

}  // namespace

std::string DrawnFrame::shown() const {
  return fmt::format("trajectory {}, frame {}, time {:.5g}", trajectory, frame, time);
}

void check_picture(const std::string& file, const PictureRequest& request) {
  frame_asked(WellReader(file).header(), file, request);
}

DrawnFrame draw_well_frame(const std::string& file, const PictureRequest& request) {
  const WellReader reader(file);
  const WellHeader& header = reader.header();
  const int64_t frame = frame_asked(header, file, request);
  std::vector<float> values(static_cast<size_t>(header.frame_size()));
  reader.read_window(request.trajectory, frame, 1, values);
  const auto points = static_cast<size_t>(header.points());
  std::vector<FieldPanel> panels;
  for (const std::string& name : header.channel_names()) {
    const auto plane = std::span<const float>(values).subspan(panels.size() * points, points);
    panels.push_back({.title = name,
                      .nx = header.axes[0].size(),
                      .ny = header.axes[1].size(),
                      .values = plane,
                      .map = map_for(plane)});
  }
  const DrawnFrame drawn{.trajectory = request.trajectory,
                         .frame = frame,
                         .time = reader.times(request.trajectory)[static_cast<size_t>(frame)]};
  write_png(request.to, draw_fields(panels, {.title = header.dataset_name + ", " + drawn.shown()}),
            AtomicFile::IfExists::refuse);
  return drawn;
}

}  // namespace roundtrip
