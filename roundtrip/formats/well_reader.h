#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "roundtrip/formats/well_schema.h"

namespace roundtrip {

/// Reads one file of the Well: ours, the published ones, and any other that fits its format.
/// Thread-safe. Of the field values it reads what is asked for, never the whole file.
///
/// Fields stored as one run of float32 or in chunks of it, plain or compressed as h5py does, are
/// read directly. A window with other fields takes a child process, since HDF5 crashes on some
/// damaged files: 7 ms for a frame of 0.85 MB, and about 60 ms more per GB this process holds (its
/// page tables are copied), so few large windows are better than many small ones.
class WellReader {
 public:
  /// Reads and checks the header; an Error when the file is damaged or does not fit.
  explicit WellReader(const std::filesystem::path& path);
  /// The same for many files, faster than one by one.
  static std::vector<WellReader> open_all(const std::vector<std::filesystem::path>& paths);
  ~WellReader();
  WellReader(WellReader&&) noexcept;
  WellReader& operator=(WellReader&&) noexcept;

  const std::filesystem::path& path() const;
  const WellHeader& header() const;

  /// Frames [first, first + count) of a trajectory into `out`, [count, channel, axes...]; fields
  /// are repeated over whatever they do not vary along.
  void read_window(int64_t trajectory, int64_t first, int64_t count, std::span<float> out) const;

  /// The same for one field, and only what is stored: [frame, component, points], one frame when
  /// the field does not vary over time, points of the axes it varies along.
  void read_field(int64_t field, int64_t trajectory, int64_t first, int64_t count,
                  std::span<float> out) const;
  /// Whether a frame costs no more than reading its own bytes: every field lies in the file as
  /// float32, in one run or in chunks that are not compressed.
  bool seeks() const;
  /// The numbers a field is stored in: "float32", "float64", "int16", "uint8".
  const std::string& stored_type(int64_t field) const;
  /// Floats per stored frame of a field.
  int64_t stored_frame_size(int64_t field) const;

  /// Times of the frames of a trajectory.
  std::vector<double> times(int64_t trajectory) const;

 private:
  struct State;
  explicit WellReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace roundtrip
