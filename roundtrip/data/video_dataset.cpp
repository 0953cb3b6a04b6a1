#include "roundtrip/data/video_dataset.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/data/file_digest.h"
#include "roundtrip/io/clips.h"
#include "roundtrip/io/video_reader.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

int64_t count_frames(const fs::path& path, const VideoRequest& request) {
  VideoReader reader(path, request);
  Image image;
  int64_t count = 0;
  while (reader.next(image)) ++count;
  return count;
}

// Frames that a reader gives: all, or at a rate those before half an interval after the last one.
int64_t promised_frames(const fs::path& path, const VideoInfo& info, const VideoRequest& request) {
  if (info.frames == 0 || (request.rate > 0 && info.rate <= 0)) return count_frames(path, request);
  if (request.rate == 0) return info.frames;
  constexpr double kTie = 1e-9;  // seconds, as the reader's
  const double end = (static_cast<double>(info.frames) - 0.5) / info.rate - kTie;
  return static_cast<int64_t>(std::ceil(end * request.rate));
}

// Who made the clips, when dataset.json says so.
std::string name_of(const fs::path& folder) {
  if (!fs::exists(folder / "dataset.json")) return "clips";
  const auto json = read_json(read_file(folder / "dataset.json"));
  const nlohmann::json::json_pointer system("/data/system");
  if (!json.is_object() || !json.contains(system) || !json[system].is_string()) return "clips";
  return json[system].get<std::string>();
}

class VideoDataset final : public Dataset {
 public:
  explicit VideoDataset(const DataConfig& config)
      : config_(config),
        folder_(config.path),
        clips_(read_clips(folder_)),
        request_{config.width, config.height, config.rate} {
    if (clips_.empty()) {
      throw Error("data", fmt::format("{}: expected clips in clips.csv, found none", config.path));
    }
    if ((config.width == 0) != (config.height == 0)) {
      throw Error("data", fmt::format("data.width, data.height: expected both or neither, found "
                                      "{} x {}",
                                      config.width, config.height));
    }
    const std::vector<VideoInfo> infos = inspect_all();
    layout_ = {name_of(folder_), {"red", "green", "blue"}, config.height, config.width};
    if (config.width == 0) take_size(infos);
    deal_out();
  }

  const FrameLayout& layout() const override { return layout_; }
  int64_t trajectories(Split split) const override {
    return static_cast<int64_t>(members(split).size());
  }
  int64_t frames(Split split, int64_t trajectory) const override {
    return lengths_[clip(split, trajectory)];
  }
  std::string trajectory_name(Split split, int64_t trajectory) const override {
    return fmt::format("{} ({})", Dataset::trajectory_name(split, trajectory),
                       clips_[clip(split, trajectory)].file);
  }
  bool random_access() const override { return false; }
  bool unit_range() const override { return true; }

  std::string split_rule() const override {
    if (listed_splits()) {
      return "clips by the column split: train, test and other as listed, valid by index: even = "
             "selection, odd = calibration";
    }
    return fmt::format(
        "clips by identity, dealt out with seed {}: shares {} train, {} selection, "
        "{} calibration, {} test",
        config_.split_seed, config_.train_share, config_.selection_share, config_.calibration_share,
        config_.test_share);
  }

  nlohmann::ordered_json provenance() const override {
    std::vector<fs::path> files = {folder_ / "clips.csv"};
    if (fs::exists(folder_ / "dataset.json")) files.push_back(folder_ / "dataset.json");
    for (const Clip& item : clips_) files.push_back(folder_ / item.file);
    return {{"dataset", layout_.dataset},
            {"kind", "clips"},
            {"channels", layout_.channels},
            {"height", layout_.height},
            {"width", layout_.width},
            {"rate", config_.rate},
            {"frames", config_.frames},
            {"stride", config_.stride},
            {"trajectories", split_sizes(*this)},
            {"split", split_rule()},
            {"digest", digest_of_files(folder_, files)}};
  }

 protected:
  void read_frames(Split split, int64_t trajectory, int64_t first, int64_t count,
                   std::span<float> out) const override {
    const size_t which = clip(split, trajectory);
    const fs::path path = folder_ / clips_[which].file;
    VideoReader reader(path, request_);
    const int64_t points = layout_.height * layout_.width;
    const int64_t last = (first + count - 1) * config_.stride;
    Image image;
    float* frame = out.data();
    for (int64_t t = 0; t <= last; ++t) {
      if (!reader.next(image)) {
        throw Error("data", fmt::format("{}: expected {} frames as it says of itself, found {}; "
                                        "take it out of clips.csv or lower data.frames",
                                        path.string(), lengths_[which] * config_.stride, t));
      }
      if (t < first * config_.stride || t % config_.stride != 0) continue;
      if (image.width != layout_.width || image.height != layout_.height) {
        throw Error("data", fmt::format("{}: frame {}: expected {} x {} pixels, found {} x {}; set "
                                        "data.width and data.height",
                                        path.string(), t, layout_.width, layout_.height,
                                        image.width, image.height));
      }
      for (int64_t i = 0; i < points; ++i) {
        for (int64_t c = 0; c < 3; ++c) {
          frame[c * points + i] = static_cast<float>(image.pixels[3 * i + c]) / 127.5F - 1.0F;
        }
      }
      frame += 3 * points;
    }
  }

 private:
  const std::vector<size_t>& members(Split split) const {
    return members_[static_cast<size_t>(split)];
  }
  size_t clip(Split split, int64_t trajectory) const {
    return members(split).at(static_cast<size_t>(trajectory));
  }

  std::vector<VideoInfo> inspect_all() {
    std::vector<VideoInfo> infos(clips_.size());
    lengths_.resize(clips_.size());
    parallel_for(static_cast<int64_t>(clips_.size()), available_threads(), [&](int64_t i) {
      const fs::path path = folder_ / clips_[i].file;
      infos[i] = inspect_video(path);
      lengths_[i] = used_frames(config_, promised_frames(path, infos[i], request_), path.string());
    });
    return infos;
  }

  void take_size(const std::vector<VideoInfo>& infos) {
    layout_.width = infos.front().width;
    layout_.height = infos.front().height;
    for (size_t i = 0; i < infos.size(); ++i) {
      if (infos[i].width == layout_.width && infos[i].height == layout_.height) continue;
      throw Error("data",
                  fmt::format("{}: expected {} x {} pixels as in {}, found {} x {}; set "
                              "data.width and data.height",
                              (folder_ / clips_[i].file).string(), layout_.width, layout_.height,
                              clips_.front().file, infos[i].width, infos[i].height));
    }
  }

  bool listed_splits() const { return !clips_.front().split.empty(); }

  void deal_out() {
    listed_splits() ? deal_out_as_listed() : deal_out_by_identity();
    for (const Split split : kSplits) {
      std::vector<size_t>& own = members_[static_cast<size_t>(split)];
      own.resize(static_cast<size_t>(limited(config_, split, static_cast<int64_t>(own.size()))));
    }
  }

  void deal_out_as_listed() {
    int64_t valid = 0;
    for (size_t i = 0; i < clips_.size(); ++i) {
      const std::string& name = clips_[i].split;
      Split split = Split::selection;
      if (name != "valid") split = parse_split(name);
      if (name == "valid" && valid++ % 2 == 1) split = Split::calibration;
      members_[static_cast<size_t>(split)].push_back(i);
    }
  }

  void deal_out_by_identity() {
    const std::vector<SplitShare> shares = {{"train", config_.train_share},
                                            {"selection", config_.selection_share},
                                            {"calibration", config_.calibration_share},
                                            {"test", config_.test_share}};
    const std::vector<std::string> parts =
        split_by_identity(clips_, shares, static_cast<uint64_t>(config_.split_seed));
    for (size_t i = 0; i < parts.size(); ++i) {
      members_[static_cast<size_t>(parse_split(parts[i]))].push_back(i);
    }
  }

  DataConfig config_;
  fs::path folder_;
  std::vector<Clip> clips_;
  VideoRequest request_;
  FrameLayout layout_;
  std::vector<int64_t> lengths_;                             // of each clip
  std::array<std::vector<size_t>, kSplits.size()> members_;  // clips of each split
};

}  // namespace

std::unique_ptr<Dataset> open_video_dataset(const DataConfig& config) {
  return std::make_unique<VideoDataset>(config);
}

}  // namespace roundtrip
