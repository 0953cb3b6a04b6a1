#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "roundtrip/data/dataset.h"
#include "roundtrip/rollout/surrogate.h"

namespace roundtrip {

/// Rollouts to be written.
struct RolloutRequest {
  std::filesystem::path out;  // one file of the Well
  Split split = Split::test;
  int64_t first = 0;           // trajectory
  int64_t trajectories = 0;    // how many; 0 = all from the first on
  int64_t initial_frames = 0;  // known frames; 0 = as many as the model sees
  int64_t depth = 1;           // predicted frames
  int64_t direction = 1;       // +1 forward from the first frames, -1 backward from the last
  int64_t batch = 64;          // rows stepped at a time
  bool force = false;          // replace a file
};

/// Rolls a split out and writes decoded frames, seed frames (as they are) and predictions in the
/// order of time. `provenance` becomes a note of the file; `done` is called after every batch of
/// frames. Forward rollouts may go on beyond the data, backward ones not before its first frame.
/// Memory: a batch of trajectories.
void write_rollouts(const RolloutRequest& request, const Surrogate& surrogate,
                    const Dataset& dataset, const DataConfig& data, const std::string& provenance,
                    const std::function<void(int64_t done, int64_t total)>& done);

}  // namespace roundtrip
