#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "roundtrip/io/well_folder.h"

namespace roundtrip {

/// Statistics of one field over a split, one value per component (a tensor's row by row). A
/// `delta` is the change from one frame to the next. Standard deviations are the population's.
struct WellFieldStats {
  std::string name;
  int64_t order = 0;  // 0 scalar, 1 vector, 2 tensor
  std::vector<double> mean, std, rms;
  std::vector<double> mean_delta, std_delta, rms_delta;  // empty for a field constant in time
};

/// The Well's stats.yaml.
struct WellStats {
  std::vector<WellFieldStats> fields;

  /// The statistics of a field; an Error that lists the known ones when there are none.
  const WellFieldStats& field(const std::string& name) const;
};

/// 64 MB: a chunk of many frames is unpacked once, not once per frame, and where HDF5 reads, a
/// child process is started once per window.
inline constexpr int64_t kStatsWindow = int64_t{1} << 24;

/// Computes the statistics of all stored values, reading `window_floats` of one field at a time
/// per thread (at least a frame); `trajectory_done` is called after each trajectory, from any
/// thread. The result is the same for any number of threads and any window. An Error when a value
/// is not finite.
WellStats compute_well_stats(const WellFolder& folder, int64_t threads = 1,
                             const std::function<void()>& trajectory_done = {},
                             int64_t window_floats = kStatsWindow);

/// Reads a stats.yaml. `mean` and `std` must be there; what else is missing stays empty.
WellStats read_well_stats(const std::filesystem::path& path);

/// The text of a stats.yaml as the Well writes it: keys sorted, five significant digits.
std::string well_stats_yaml(const WellStats& stats);

/// Writes it, whole or not at all.
void write_well_stats(const std::filesystem::path& path, const WellStats& stats);

}  // namespace roundtrip
