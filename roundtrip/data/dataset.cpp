#include "roundtrip/data/dataset.h"

#include <algorithm>
#include <bit>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/data/mat_dataset.h"
#include "roundtrip/data/video_dataset.h"
#include "roundtrip/data/well_dataset.h"
#include "roundtrip/io/well_folder.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

bool is_finite(float value) {
  return (std::bit_cast<uint32_t>(value) & 0x7f800000U) != 0x7f800000U;
}

// On the bits, because the compiler may vectorise that and not a sum of floats.
bool all_finite(std::span<const float> values) {
  uint32_t bad = 0;
  for (const float value : values) bad |= is_finite(value) ? 0U : 1U;
  return bad == 0;
}

bool is_well_folder(const fs::path& path) {
  return std::any_of(kWellSplits.begin(), kWellSplits.end(),
                     [&](const std::string& split) { return !well_files(path, split).empty(); });
}

}  // namespace

std::string Dataset::trajectory_name(Split split, int64_t trajectory) const {
  return fmt::format("{} trajectory {}", split_name(split), trajectory);
}

torch::Tensor Dataset::read(Split split, int64_t trajectory, int64_t first, int64_t count) const {
  torch::Tensor values = torch::empty(layout().shape().sizes({count}), torch::kFloat32);
  read_into(split, trajectory, first, count,
            {values.data_ptr<float>(), static_cast<size_t>(values.numel())});
  return values;
}

void Dataset::read_into(Split split, int64_t trajectory, int64_t first, int64_t count,
                        std::span<float> out) const {
  const FrameLayout& shape = layout();
  require_split(*this, split);
  ensure(trajectory >= 0 && trajectory < trajectories(split), "data: a trajectory of the split");
  ensure(first >= 0 && count >= 1 && count <= frames(split, trajectory) - first,
         "data: frames of the trajectory");
  ensure(static_cast<int64_t>(out.size()) == count * shape.frame_size(),
         "data: memory of the size of the frames");
  read_frames(split, trajectory, first, count, out);
  if (all_finite(out)) return;
  const auto at = std::find_if_not(out.begin(), out.end(), is_finite) - out.begin();
  const auto channel = at % shape.frame_size() / (shape.height * shape.width);
  throw Error(
      "data",
      fmt::format("{}: split {}, trajectory {}, frame {}, channel {}: expected finite "
                  "values, found {}; leave that trajectory out or generate it again",
                  shape.dataset, split_name(split), trajectory, first + at / shape.frame_size(),
                  shape.channels[static_cast<size_t>(channel)], out[at]));
}

std::unique_ptr<Dataset> open_dataset(const DataConfig& config) {
  const fs::path path = config.path;
  constexpr const char* kAccepted =
      "a Well folder (data/train/*.hdf5, ...), a .mat file with variable u (N, H, W, T), or a "
      "folder of videos with clips.csv";
  if (path.empty()) throw Error("data", fmt::format("data.path: expected {}, found ''", kAccepted));
  if (fs::is_directory(path)) {
    if (is_well_folder(path)) return open_well_dataset(config);
    if (fs::exists(path / "clips.csv")) return open_video_dataset(config);
  } else if (fs::exists(path) && path.extension() == ".mat") {
    return open_mat_dataset(config);
  }
  const char* found = fs::is_directory(path) ? "a folder with neither"
                      : fs::exists(path)     ? "another file"
                                             : "nothing there";
  throw Error("data", fmt::format("{}: expected {}, found {}; data.path says where the data are, "
                                  "`roundtrip generate` makes some",
                                  path.string(), kAccepted, found));
}

void require_split(const Dataset& dataset, Split split) {
  if (dataset.trajectories(split) > 0) return;
  std::string sizes;
  const nlohmann::ordered_json counts = split_sizes(dataset);
  for (const auto& [name, count] : counts.items()) {
    sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", name, count.get<int64_t>());
  }
  throw Error("data", fmt::format("{}: split {} is empty ({}); {}", dataset.layout().dataset,
                                  split_name(split), sizes, dataset.split_rule()));
}

nlohmann::ordered_json split_sizes(const Dataset& dataset) {
  nlohmann::ordered_json sizes;
  for (const Split split : kSplits) {
    const int64_t count = dataset.trajectories(split);
    // Most datasets have no other split; theirs keep the provenance they had.
    if (split == Split::other && count == 0) continue;
    sizes[std::string(split_name(split))] = count;
  }
  return sizes;
}

std::vector<int64_t> trajectory_lengths(const Dataset& dataset, Split split) {
  std::vector<int64_t> lengths;
  for (int64_t i = 0; i < dataset.trajectories(split); ++i) {
    lengths.push_back(dataset.frames(split, i));
  }
  return lengths;
}

int64_t used_frames(const DataConfig& config, int64_t stored, const std::string& where) {
  const int64_t there = (stored + config.stride - 1) / config.stride;
  if (config.frames > there) {
    throw Error("data", fmt::format("{}: data.frames: expected at most the {} frames there are at "
                                    "stride {}, found {}",
                                    where, there, config.stride, config.frames));
  }
  const int64_t used = config.frames > 0 ? config.frames : there;
  if (used >= 2) return used;
  throw Error("data", fmt::format("{}: expected at least 2 frames in a trajectory, found {} (of {} "
                                  "stored, at stride {})",
                                  where, used, stored, config.stride));
}

int64_t limited(const DataConfig& config, Split split, int64_t count) {
  const int64_t limit = config.limit(split);
  return limit > 0 ? std::min(limit, count) : count;
}

}  // namespace roundtrip
