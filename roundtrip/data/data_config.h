#pragma once

#include <cstdint>
#include <string>

#include "roundtrip/data/split.h"

namespace roundtrip {

class Settings;

/// Which data, and how much of it.
struct DataConfig {
  std::string path;                // Well folder, FNO .mat file, or folder with clips.csv
  int64_t stride = 1;              // every stride-th stored frame is used
  int64_t frames = 0;              // that many of them, from the first on; 0 = all
  int64_t train_limit = 0;         // trajectories used of each split, the first ones; 0 = all
  int64_t selection_limit = 0;     //
  int64_t calibration_limit = 0;   //
  int64_t test_limit = 0;          //
  int64_t width = 0;               // pixels of a video; 0 with height 0 = as stored
  int64_t height = 0;              //
  double rate = 0;                 // frames per second of a video, before stride; 0 = as stored
  double train_share = 0.7;        // of the identities of clips without a column split
  double selection_share = 0.1;    //
  double calibration_share = 0.1;  //
  double test_share = 0.1;         //
  int64_t split_seed = 0;          // deals the identities out

  /// The limit of one split; 0 = all, always for `other`, which no training reads.
  int64_t limit(Split split) const;
};

/// Adds rows "data.path", "data.stride", ...
void bind(DataConfig& config, Settings& settings);

/// The rows that decide which frames a trajectory has and which split it is in, all but the path
/// and the limits: what other data has to be read by to be read alike.
void bind_reading(DataConfig& config, Settings& settings);

}  // namespace roundtrip
