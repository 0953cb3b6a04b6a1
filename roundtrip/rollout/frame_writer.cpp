#include "roundtrip/rollout/frame_writer.h"

#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/well_folder.h"
#include "roundtrip/io/well_likeness.h"

namespace roundtrip {
namespace {

// Fields, grid and boundaries of the data; of data that is not the Well's, channels on a unit grid.
WellHeader header_like(const DataConfig& data, const Dataset& dataset) {
  for (const std::string& split : kWellSplits) {
    if (well_files(data.path, split).empty()) continue;
    auto [header, changes] = writable_likeness(WellFolder(data.path, split).header(), data.path);
    if (!changes.empty()) header.notes.emplace_back("unlike_the_data", changes);
    std::vector<double> times;
    for (int64_t t = 0; t < header.frames(); t += data.stride) {
      times.push_back(header.time.coordinates[static_cast<size_t>(t)]);
    }
    header.time.coordinates = times;
    return header;
  }
  const FrameLayout& layout = dataset.layout();
  WellHeader header;
  header.dataset_name = layout.dataset;
  for (const auto& [name, size] : {std::pair("x", layout.height), std::pair("y", layout.width)}) {
    WellAxis axis{.name = name, .coordinates = {}};
    for (int64_t i = 0; i < size; ++i) {
      axis.coordinates.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(size));
    }
    header.boundaries.push_back(boundary_of(axis, "OPEN"));
    header.axes.push_back(std::move(axis));
  }
  for (const std::string& channel : layout.channels) header.fields.push_back({.name = channel});
  header.time.coordinates = {0, 1};
  return header;
}

// `count` times from frame `first` on, the data's where it has them and evenly spaced beyond.
std::vector<double> times_of(const WellHeader& header, int64_t first, int64_t count) {
  const auto& known = header.time.coordinates;
  const double spacing = known.size() > 1 ? known[1] - known[0] : 1;
  std::vector<double> times;
  for (int64_t t = first; t < first + count; ++t) {
    const auto last = static_cast<int64_t>(known.size()) - 1;
    times.push_back(t <= last ? known[static_cast<size_t>(t)]
                              : known.back() + spacing * static_cast<double>(t - last));
  }
  return times;
}

// Checks the lengths before the file is opened.
RolloutFrames checked(RolloutFrames file, const Dataset& dataset) {
  const bool backward = file.direction < 0;
  for (int64_t i = 0; i < file.trajectories; ++i) {
    const int64_t frames = dataset.frames(file.split, file.first + i);
    const int64_t needed = backward ? file.initial_frames + file.depth : file.initial_frames;
    if (frames >= needed) continue;
    throw Error("rollout",
                fmt::format("{}: expected at least {} frames, found {}{}",
                            dataset.trajectory_name(file.split, file.first + i), needed, frames,
                            backward ? fmt::format("; back to its first frame is depth {}",
                                                   frames - file.initial_frames)
                                     : ""));
  }
  return file;
}

WellHeader header_of(const RolloutFrames& file, const Dataset& dataset, const DataConfig& data) {
  WellHeader header = header_like(data, dataset);
  header.n_trajectories = file.trajectories;
  const int64_t count = file.initial_frames + file.depth;
  const int64_t first = file.direction > 0 ? 0 : dataset.frames(file.split, file.first) - count;
  header.time.coordinates = times_of(header, first, count);
  header.notes.emplace_back("roundtrip", file.provenance);
  header.notes.emplace_back("seed_frames", fmt::format("{}", file.initial_frames));
  header.notes.emplace_back("direction", file.direction > 0 ? "forward" : "backward");
  // Notes and parameters are attributes of one object: ours win.
  for (const auto& note : header.notes) {
    std::erase_if(header.parameters,
                  [&](const auto& parameter) { return parameter.first == note.first; });
  }
  return header;
}

}  // namespace

FrameWriter::FrameWriter(RolloutFrames file, const Surrogate& surrogate, const Dataset& dataset,
                         const DataConfig& data)
    : file_(checked(std::move(file), dataset)),
      surrogate_(surrogate),
      dataset_(dataset),
      writer_(file_.out, header_of(file_, dataset, data),
              file_.force ? AtomicFile::IfExists::replace : AtomicFile::IfExists::refuse) {}

torch::Tensor FrameWriter::seed_frames(int64_t index) const {
  const int64_t trajectory = file_.first + index;
  const int64_t first =
      file_.direction > 0 ? 0 : dataset_.frames(file_.split, trajectory) - file_.initial_frames;
  return dataset_.read(file_.split, trajectory, first, file_.initial_frames);
}

Rollout FrameWriter::rollout(int64_t index) const {
  torch::Tensor latents =
      surrogate_.codec->encode(seed_frames(index)).to(surrogate_.stepper->type());
  if (file_.direction > 0) return make_rollout(latents, file_.depth, /*first_index=*/0, +1);
  const int64_t last = dataset_.frames(file_.split, file_.first + index) - 1;
  return make_rollout(latents.flip(0), file_.depth, last, -1);
}

void FrameWriter::write(int64_t index, const torch::Tensor& latents) {
  const torch::Tensor known = seed_frames(index);
  const torch::Tensor made = surrogate_.codec->decode(latents.to(torch::kFloat32));
  const torch::Tensor all =
      (file_.direction > 0 ? torch::cat({known, made}) : torch::cat({made.flip(0), known}))
          .contiguous();
  const int64_t size = all[0].numel();
  for (int64_t t = 0; t < all.size(0); ++t) {
    writer_.write_frame(index, t, {all.data_ptr<float>() + t * size, static_cast<size_t>(size)});
  }
}

}  // namespace roundtrip
