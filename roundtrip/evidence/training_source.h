#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roundtrip {

/// How the trajectories were made that a bundle was trained on.
struct TrainingSource {
  std::string system;                  // row of systems()
  std::vector<std::string> overrides;  // all its settings, "key=value"
  uint64_t seed = 0;
  int64_t trajectories = 0;  // of the training split
  int64_t frames = 0;        // of each

  /// The settings for the first `count` frames alone, at the same times.
  std::vector<std::string> first_frames(int64_t count) const;

  double start_time = 0, end_time = 0;
};

/// None when the bundle does not say: data of another source.
std::optional<TrainingSource> training_source(const std::string& model);

}  // namespace roundtrip
