#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "roundtrip/base/random.h"

namespace roundtrip {

/// One stored field. A scalar takes one channel, a vector one per axis (name_x, name_y).
struct FieldSpec {
  std::string name;
  int64_t components = 1;
};

/// How one axis of the grid ends.
struct AxisSpec {
  std::string name;                 // "x"
  std::vector<double> coordinates;  // cell centres
  std::string boundary;             // "PERIODIC", "OPEN" or "WALL", the Well's words
  std::string lower_boundary = {};  // at the axis's beginning, where it is another one
};

/// What the stored frames of a system are: everything a data file says besides the values.
/// Frames are float arrays [channel, x, y], channels in the order of `fields`.
struct DatasetLayout {
  std::string dataset_name;                                // "mhd"
  std::vector<FieldSpec> fields;                           // channel order
  std::vector<AxisSpec> axes;                              // array order
  std::vector<double> times;                               // of the stored frames
  std::vector<std::pair<std::string, double>> parameters;  // constants of the run: gamma, viscosity
  std::vector<std::pair<std::string, std::string>>
      notes;              // what a reader must know: pressure=total
  std::string file_stem;  // name of data files without number and extension

  int64_t channels() const;
  /// Floats in one frame.
  int64_t frame_size() const;
};

/// Time of stored frame `frame` of `frames` equally spaced ones; exactly `start` for the first and
/// `end` for the last.
double frame_time(double start, double end, int64_t frames, int64_t frame);
/// All of them.
std::vector<double> frame_times(double start, double end, int64_t frames);

/// An Error in the name of `system` unless `end` lies behind `start`, or at it for a single frame.
void check_frame_times(std::string_view system, double start, double end, int64_t frames);

/// Which trajectory: the same key gives the same trajectory, whatever else is generated.
struct TrajectoryKey {
  uint64_t seed = 0;
  std::string split;  // "train", "valid", "test"
  int64_t index = 0;  // within the split
};

/// The random numbers of one trajectory for one purpose; `attempt` counts redraws.
RandomStream draws_for(const TrajectoryKey& key, std::string_view purpose, int64_t attempt = 0);

/// How a solve went.
struct SolveReport {
  int64_t steps = 0;    // inner time steps taken, all attempts
  int64_t redraws = 0;  // initial states given up because the solution broke down
};

/// Receives stored frame `frame` as values [channel, x, y]. After a redraw it starts again at 0.
using FrameSink = std::function<void(int64_t frame, std::span<const float> values)>;

/// A dynamical system that makes trajectories. Thread-safe: `solve` keeps no state.
class System {
 public:
  virtual ~System() = default;

  /// Trajectory `index` belongs to group index % groups(); each group has files of its own
  /// (the radiative layer has one per cooling time).
  virtual int64_t groups() const { return 1; }
  virtual DatasetLayout layout(int64_t group) const = 0;

  /// "well" (HDF5) or "video" (MP4 clips with a list of identities).
  virtual std::string storage() const { return "well"; }
  /// Of a video: whom the clip shows. Splits share no identity.
  virtual std::string identity(const TrajectoryKey&) const { return ""; }

  /// Solves one trajectory and hands its frames to `sink` in order of time.
  virtual SolveReport solve(const TrajectoryKey& key, const FrameSink& sink) const = 0;

  /// The resolved settings as a commented TOML document.
  virtual std::string settings() const = 0;
};

}  // namespace roundtrip
