#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <torch/types.h>

#include "roundtrip/data/boundary.h"
#include "roundtrip/data/data_config.h"
#include "roundtrip/data/frame_shape.h"
#include "roundtrip/data/split.h"

namespace roundtrip {

/// What every frame of a dataset looks like.
struct FrameLayout {
  std::string dataset;                // "mhd"; the Well's name, or the system's
  std::vector<std::string> channels;  // "density", "velocity_x", ...
  int64_t height = 0;                 // the first axis: x of a simulation, rows of a video
  int64_t width = 0;                  // the second
  FrameBoundaries boundary = {Boundary::open, Boundary::open};  // of the two axes

  int64_t channel_count() const { return static_cast<int64_t>(channels.size()); }
  FrameShape shape() const { return {channel_count(), height, width}; }
  /// Floats in one frame.
  int64_t frame_size() const { return shape().size(); }
  bool operator==(const FrameLayout&) const = default;
};

/// Trajectories of equally spaced frames, split by a fixed rule. Opening reads headers; frames are
/// read when asked for. Thread-safe.
class Dataset {
 public:
  virtual ~Dataset() = default;

  virtual const FrameLayout& layout() const = 0;
  /// How many trajectories a split has; may be 0.
  virtual int64_t trajectories(Split split) const = 0;
  /// How many frames a trajectory has: at least 2. Clips may differ.
  virtual int64_t frames(Split split, int64_t trajectory) const = 0;
  /// What messages call a trajectory: "train trajectory 3", with its file when that is its own.
  virtual std::string trajectory_name(Split split, int64_t trajectory) const;

  /// Frames [first, first + count) of a trajectory, (count, C, H, W) float32 in physical units. An
  /// Error that names split, trajectory, frame and channel when a value is not finite.
  torch::Tensor read(Split split, int64_t trajectory, int64_t first, int64_t count) const;
  /// The same into memory of count * frame_size floats.
  void read_into(Split split, int64_t trajectory, int64_t first, int64_t count,
                 std::span<float> out) const;

  /// Whether single frames are cheap to read. If not, read whole trajectories in their order, or
  /// through a FrameStore.
  virtual bool random_access() const = 0;
  /// Whether values lie in [-1, 1] by construction (videos), so that nothing need be normalised.
  virtual bool unit_range() const { return false; }

  /// The rule that splits it, one sentence for model.toml.
  virtual std::string split_rule() const = 0;
  /// What the values depend on and where they came from, without paths: name, sizes, settings, and
  /// a digest of the files (their sizes, first and last bytes, and dataset.json when it is there).
  virtual nlohmann::ordered_json provenance() const = 0;

 protected:
  /// Does the reading; the window is in range and `out` fits.
  virtual void read_frames(Split split, int64_t trajectory, int64_t first, int64_t count,
                           std::span<float> out) const = 0;
};

/// Opens what `config.path` names. An Error when it is none of the three kinds, when trajectories
/// have fewer than 2 frames, or when shapes differ between them.
std::unique_ptr<Dataset> open_dataset(const DataConfig& config);

/// An Error with the split rule when a split has no trajectories.
void require_split(const Dataset& dataset, Split split);

/// How many trajectories each split has: {"train": 500, ...}; `other` where there are any.
nlohmann::ordered_json split_sizes(const Dataset& dataset);

/// The number of frames of every trajectory of a split.
std::vector<int64_t> trajectory_lengths(const Dataset& dataset, Split split);

/// Frames used of `stored` ones, by stride and limit. An Error naming `where` when fewer than 2.
int64_t used_frames(const DataConfig& config, int64_t stored, const std::string& where);

/// `count` cut to the limit of its split.
int64_t limited(const DataConfig& config, Split split, int64_t count);

}  // namespace roundtrip
