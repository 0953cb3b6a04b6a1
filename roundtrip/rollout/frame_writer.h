#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <torch/types.h>

#include "roundtrip/data/dataset.h"
#include "roundtrip/io/well_writer.h"
#include "roundtrip/rollout/rollout.h"
#include "roundtrip/rollout/surrogate.h"

namespace roundtrip {

/// What a file of rollouts holds.
struct RolloutFrames {
  std::filesystem::path out;  // one file of the Well
  Split split = Split::test;
  int64_t first = 0;           // trajectory of the split
  int64_t trajectories = 1;    // how many from there on
  int64_t initial_frames = 1;  // known frames of each
  int64_t depth = 1;           // predicted frames
  int64_t direction = 1;       // +1 forward from the first frames, -1 backward from the last
  std::string provenance;      // becomes a note of the file
  bool force = false;          // replace a file
};

/// Writes rollouts as decoded frames in the order of time: seed frames as they are, and
/// predictions. The file appears at `finish`. Memory: one trajectory.
class FrameWriter {
 public:
  /// An Error when a trajectory has too few frames: of seed frames or, backward, to go back to.
  FrameWriter(RolloutFrames file, const Surrogate& surrogate, const Dataset& dataset,
              const DataConfig& data);

  /// The rollout of the `index`-th trajectory of the file, from its encoded seed frames.
  Rollout rollout(int64_t index) const;
  /// Stores the predicted latents (depth, F, h, w) of a trajectory, in the order of the rollout.
  void write(int64_t index, const torch::Tensor& latents);
  void finish() { writer_.finish(); }

 private:
  torch::Tensor seed_frames(int64_t index) const;

  RolloutFrames file_;
  const Surrogate& surrogate_;
  const Dataset& dataset_;
  WellWriter writer_;
};

}  // namespace roundtrip
