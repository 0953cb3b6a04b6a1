#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace roundtrip {

/// How the trajectories were made that a bundle was trained on.
struct TrainingSource {
  std::string system;                  // entry of systems()
  std::vector<std::string> overrides;  // all its settings, "key=value"; a later one wins
  uint64_t seed = 0;
  int64_t trajectories = 0;  // of the training split
  int64_t held_out = 0;      // of selection and calibration together
  int64_t frames = 0;        // of each, as the training used them
  int64_t stride = 1;        // every stride-th stored frame

  /// The settings for as few stored frames as give the first `count`, at the same times.
  std::vector<std::string> first_frames(int64_t count) const;

  int64_t stored_frames = 0;
  double start_time = 0;
  double end_time = 0;
  bool has_end_time = false;  // a system may have no clock of its own
};

/// An Error when the bundle does not say: its data is of another source.
TrainingSource training_source(const std::string& model);

}  // namespace roundtrip
