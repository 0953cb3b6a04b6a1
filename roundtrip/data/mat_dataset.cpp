#include "roundtrip/data/mat_dataset.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/error.h"
#include "roundtrip/data/file_digest.h"
#include "roundtrip/io/fno_mat.h"

namespace roundtrip {
namespace {

constexpr int64_t kBlockBytes = int64_t{256} << 20;

class MatDataset final : public Dataset {
 public:
  explicit MatDataset(const DataConfig& config)
      : config_(config),
        reader_(config.path),
        layout_{"navier_stokes",
                {"vorticity"},
                reader_.height(),
                reader_.width(),
                {Boundary::periodic, Boundary::periodic}},
        frames_(used_frames(config, reader_.frames(), config.path)) {
    if (reader_.trajectories() < 2) {
      throw Error("data", fmt::format("{}: expected at least 2 trajectories in u (N, H, W, T), "
                                      "found {}",
                                      config.path, reader_.trajectories()));
    }
    const int64_t bytes = stored_size() * static_cast<int64_t>(sizeof(float));
    block_ = std::clamp<int64_t>(kBlockBytes / bytes, 1, reader_.trajectories());
  }

  const FrameLayout& layout() const override { return layout_; }

  int64_t trajectories(Split split) const override {
    const int64_t n = reader_.trajectories();
    const int64_t valid = valid_end() - train_end();
    switch (split) {
      case Split::train:
        return limited(config_, split, train_end());
      case Split::selection:
        return limited(config_, split, (valid + 1) / 2);
      case Split::calibration:
        return limited(config_, split, valid / 2);
      case Split::test:
        return limited(config_, split, n - valid_end());
      case Split::other:
        return 0;
    }
    throw Bug("a split the file does not know");
  }

  int64_t frames(Split, int64_t) const override { return frames_; }
  bool random_access() const override { return false; }

  std::string split_rule() const override {
    return fmt::format(
        "FNO file: trajectories 0 to {} train, to {} valid (from its start: even = "
        "selection, odd = calibration), to {} test",
        train_end() - 1, valid_end() - 1, reader_.trajectories() - 1);
  }

  nlohmann::ordered_json provenance() const override {
    // The file may be called anything: only its bytes count.
    const std::filesystem::path path = config_.path;
    return {{"dataset", layout_.dataset},
            {"kind", "fno_mat"},
            {"channels", layout_.channels},
            {"height", layout_.height},
            {"width", layout_.width},
            {"frames", frames_},
            {"stride", config_.stride},
            {"trajectories", split_sizes(*this)},
            {"digest", digest_of_files(path, {path})}};
  }

 protected:
  void read_frames(Split split, int64_t trajectory, int64_t first, int64_t count,
                   std::span<float> out) const override {
    const int64_t index = index_of(split, trajectory);
    const auto held = block_of(index);
    const float* stored = held->values.data() + (index - held->first) * stored_size();
    const int64_t size = layout_.frame_size();
    for (int64_t t = 0; t < count; ++t) {
      std::copy_n(stored + (first + t) * config_.stride * size, size, out.data() + t * size);
    }
  }

 private:
  struct Block {
    int64_t first = 0;          // trajectory of the file
    std::vector<float> values;  // [trajectory, frame, H, W]
  };

  int64_t train_end() const { return 2 * reader_.trajectories() / 3; }
  int64_t valid_end() const { return 5 * reader_.trajectories() / 6; }
  int64_t stored_size() const { return reader_.frames() * layout_.frame_size(); }

  int64_t index_of(Split split, int64_t trajectory) const {
    switch (split) {
      case Split::train:
        return trajectory;
      case Split::selection:
        return train_end() + 2 * trajectory;
      case Split::calibration:
        return train_end() + 2 * trajectory + 1;
      case Split::test:
        return valid_end() + trajectory;
      case Split::other:
        break;
    }
    throw Bug("a split the file does not know");
  }

  // Shared, so that a block stays while another thread replaces it.
  std::shared_ptr<const Block> block_of(int64_t index) const {
    const std::lock_guard lock(mutex_);
    const int64_t first = index / block_ * block_;
    if (held_ != nullptr && held_->first == first) return held_;
    held_.reset();
    const int64_t count = std::min(block_, reader_.trajectories() - first);
    auto block = std::make_shared<Block>();
    block->first = first;
    block->values.resize(static_cast<size_t>(count * stored_size()));
    reader_.read(first, count, block->values);
    held_ = std::move(block);
    return held_;
  }

  DataConfig config_;
  FnoMatReader reader_;
  FrameLayout layout_;
  int64_t frames_ = 0;
  int64_t block_ = 1;  // trajectories read together
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Block> held_;
};

}  // namespace

std::unique_ptr<Dataset> open_mat_dataset(const DataConfig& config) {
  return std::make_unique<MatDataset>(config);
}

}  // namespace roundtrip
