#include "roundtrip/data/frame_store.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/data/scan.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

std::string fingerprint_of(const Dataset& dataset, Split split) {
  nlohmann::ordered_json json = dataset.provenance();
  json["split"] = split_name(split);
  json["split_rule"] = dataset.split_rule();
  return json_text(json);
}

// The file when it is there and fits; a damaged or foreign one is made again.
std::optional<FrameFile> open_fitting(const fs::path& path, const FrameFileInfo& wanted) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    FrameFile file(path);
    const FrameFileInfo& found = file.info();
    if (found.fingerprint == wanted.fingerprint && found.lengths == wanted.lengths &&
        found.frame == wanted.frame) {
      return file;
    }
  } catch (const Error&) {
  }
  return std::nullopt;
}

void copy_split(const Dataset& dataset, Split split, const fs::path& path,
                const FrameFileInfo& info, const Progress::Options& options, int64_t threads) {
  Progress progress(fmt::format("copying {}", split_name(split)), "frames", info.frames(), options);
  FrameFileWriter writer(path, info);
  const std::vector<FramePiece> pieces = frame_pieces(dataset, split);
  scan_frames(dataset, split, pieces, threads, /*look=*/{},
              [&](size_t i, std::span<const float> values) {
                writer.append(values);
                progress.advance(pieces[i].count);
              });
  writer.finish();
}

}  // namespace

FrameStore::FrameStore(const Dataset& dataset, Split split, const fs::path& cache_folder,
                       const Progress::Options& progress, int64_t threads)
    : dataset_(dataset), split_(split) {
  require_split(dataset, split);
  if (dataset.random_access()) return;
  const FrameLayout& layout = dataset.layout();
  const FrameFileInfo info{.fingerprint = fingerprint_of(dataset, split),
                           .lengths = trajectory_lengths(dataset, split),
                           .frame = layout.shape()};
  const fs::path path = cache_folder / fmt::format("frames-{}.safetensors", split_name(split));
  file_ = open_fitting(path, info);
  if (file_) return;
  copy_split(dataset, split, path, info, progress, threads);
  file_.emplace(path);
}

torch::Tensor FrameStore::frames(std::span<const FrameLocation> locations) const {
  const FrameLayout& layout = dataset_.layout();
  torch::Tensor batch =
      torch::empty(layout.shape().sizes({static_cast<int64_t>(locations.size())}), torch::kFloat32);
  const auto size = static_cast<size_t>(layout.frame_size());
  float* out = batch.data_ptr<float>();
  for (const FrameLocation& location : locations) {
    if (file_) {
      std::copy_n(file_->frame(location.trajectory, location.frame), size, out);
    } else {
      dataset_.read_into(split_, location.trajectory, location.frame, 1, {out, size});
    }
    out += size;
  }
  return batch;
}

}  // namespace roundtrip
