#include "roundtrip/data/well_dataset.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/data/file_digest.h"
#include "roundtrip/io/well_folder.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

const char* well_split(Split split) {
  switch (split) {
    case Split::train:
      return "train";
    case Split::selection:
    case Split::calibration:
      return "valid";
    case Split::test:
      return "test";
    case Split::other:
      return "other";  // which the Well's format does not have
  }
  throw Bug("a split the Well does not know");
}

// The solver's settings and seed behind data that `roundtrip generate` made.
std::optional<nlohmann::ordered_json> source_of(const fs::path& folder) {
  if (!fs::exists(folder / "dataset.json")) return std::nullopt;
  const auto json = read_json(read_file(folder / "dataset.json"));
  const nlohmann::ordered_json::json_pointer system("/data/system");
  if (!json.is_object() || !json.contains(system) || !json.contains("config") ||
      !json.contains("seed")) {
    return std::nullopt;
  }
  return nlohmann::ordered_json{
      {"system", json[system]}, {"config", json["config"]}, {"seed", json["seed"]}};
}

class WellDataset final : public Dataset {
 public:
  explicit WellDataset(const DataConfig& config) : config_(config), folder_(config.path) {
    const WellReader* first = nullptr;
    for (const std::string& name : kWellSplits) {
      if (well_files(folder_, name).empty()) continue;
      const WellFolder& part = parts_.try_emplace(name, folder_, name).first->second;
      if (first == nullptr) first = &part.files().front();
      check_same_layout(*first, part.files().front());
      seeks_ = seeks_ && std::ranges::all_of(part.files(), &WellReader::seeks);
    }
    ensure(first != nullptr, "well: a folder with files");
    const WellHeader& header = first->header();
    if (header.axes.size() != 2) {
      throw Error("data", fmt::format("{}: expected fields on 2 axes, found {}",
                                      first->path().string(), header.axes.size()));
    }
    layout_ = {
        header.dataset_name,
        header.channel_names(),
        header.axes[0].size(),
        header.axes[1].size(),
        {boundary_along(header, header.axes[0].name), boundary_along(header, header.axes[1].name)}};
    frames_ = used_frames(config, header.frames(), folder_.string());
  }

  const FrameLayout& layout() const override { return layout_; }

  int64_t trajectories(Split split) const override {
    const auto part = parts_.find(well_split(split));
    if (part == parts_.end()) return 0;
    int64_t count = part->second.n_trajectories();
    if (split == Split::selection) count = (count + 1) / 2;
    if (split == Split::calibration) count = count / 2;
    return limited(config_, split, count);
  }

  int64_t frames(Split, int64_t) const override { return frames_; }
  bool random_access() const override { return seeks_; }

  std::string split_rule() const override {
    return "Well folder: train and test as they are, valid by trajectory index: even = selection, "
           "odd = calibration";
  }

  nlohmann::ordered_json provenance() const override {
    std::vector<fs::path> files;
    if (fs::exists(folder_ / "dataset.json")) files.push_back(folder_ / "dataset.json");
    for (const auto& [name, part] : parts_) {
      for (const WellReader& file : part.files()) files.push_back(file.path());
    }
    nlohmann::ordered_json found = {{"dataset", layout_.dataset},
                                    {"kind", "well"},
                                    {"channels", layout_.channels},
                                    {"height", layout_.height},
                                    {"width", layout_.width},
                                    {"frames", frames_},
                                    {"stride", config_.stride},
                                    {"trajectories", split_sizes(*this)},
                                    {"digest", digest_of_files(folder_, files)}};
    if (const auto source = source_of(folder_)) found["source"] = *source;
    return found;
  }

 protected:
  void read_frames(Split split, int64_t trajectory, int64_t first, int64_t count,
                   std::span<float> out) const override {
    const WellFolder& part = parts_.at(well_split(split));
    int64_t index = trajectory;
    if (split == Split::selection) index = 2 * trajectory;
    if (split == Split::calibration) index = 2 * trajectory + 1;
    const int64_t stride = config_.stride;
    if (stride == 1) return part.read_window(index, first, count, out);
    const auto size = static_cast<size_t>(layout_.frame_size());
    if (seeks_) {
      for (int64_t t = 0; t < count; ++t) {
        part.read_window(index, (first + t) * stride, 1, out.subspan(t * size, size));
      }
      return;
    }
    // One window: unpacking, or starting HDF5, for each frame costs more than frames read for
    // nothing.
    const int64_t span = (count - 1) * stride + 1;
    std::vector<float> all(static_cast<size_t>(span) * size);
    part.read_window(index, first * stride, span, all);
    for (int64_t t = 0; t < count; ++t) {
      std::copy_n(&all[t * stride * size], size, out.data() + t * size);
    }
  }

 private:
  DataConfig config_;
  fs::path folder_;
  std::map<std::string, WellFolder> parts_;  // by the Well's split
  FrameLayout layout_;
  int64_t frames_ = 0;
  bool seeks_ = true;
};

}  // namespace

std::unique_ptr<Dataset> open_well_dataset(const DataConfig& config) {
  return std::make_unique<WellDataset>(config);
}

}  // namespace roundtrip
